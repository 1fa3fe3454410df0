#include "harness/scenario/file/load_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/stores/store.h"
#include "harness/text/suggest.h"

namespace holdfast {
namespace {

constexpr std::int64_t most_steps = 1'000'000;
constexpr std::int64_t whole_in_millionths = 1'000'000;

using Words = std::vector<std::string>;

struct Context {
  const Scenario& scenario;
  const ScenarioNames& names;

  std::optional<Duration> ttl() const {
    const auto& ttl = scenario.settings.ttl;
    return ttl ? std::optional(ttl->fixed) : std::nullopt;
  }
  const ClientSpec* client(std::string_view name) const {
    const auto found = std::find_if(scenario.clients.begin(), scenario.clients.end(),
                                    [&](const ClientSpec& each) { return each.name == name; });
    return found == scenario.clients.end() ? nullptr : &*found;
  }
  // The most that any store's servers have here.
  std::size_t replicas() const {
    std::int64_t most = 0;
    for (const Store* const store : all_stores()) {
      if (store->replicas() != nullptr) {
        most = std::max(most, scenario.topology.of(store->id()).count(*store->replicas()));
      }
    }
    return static_cast<std::size_t>(most);
  }
  Words server_names() const {
    Words words;
    for (const Store* const store : all_stores()) {
      if (store->has_servers()) {
        words.emplace_back(store->id());
      }
    }
    words.emplace_back("storage");
    return words;
  }
  // "redis, redis-2, storage or, with topology.redis.replicas, redis-b"
  std::string servers_text() const {
    std::string text;
    std::string replicas;
    for (const Store* const store : all_stores()) {
      if (store->has_servers()) {
        text += fmt::format("{0}, {0}-2, ", store->id());
      }
      if (store->replicas() != nullptr) {
        replicas += fmt::format(" or, with topology.{0}.{1}, {0}-b", store->id(), store->replicas()->name);
      }
    }
    return text + "storage" + replicas;
  }
  Words client_names() const {
    Words words;
    for (const ClientSpec& each : scenario.clients) {
      words.push_back(each.name);
    }
    return words;
  }
};

std::string read_server(const Field& field, const Context& context) {
  if (!field.is(JsonNode::Kind::text) || !is_server_name(field.node().text, context.replicas())) {
    const Words words = context.server_names();
    const std::string found = field.is(JsonNode::Kind::text) ? in_quotes(field.node().text) : "no name";
    field.fail(fmt::format("{} is no server of this scenario, expected {}{}", found, context.servers_text(),
                           did_you_mean_text(field.node().text, words)));
  }
  return field.node().text;
}

// A client or a server; or one of `groups`.
std::string read_process(const Field& field, const Context& context, const Words& groups) {
  if (field.is(JsonNode::Kind::text) && is_server_name(field.node().text, context.replicas())) {
    return field.node().text;
  }
  Words words = groups;
  const Words clients = context.client_names();
  words.insert(words.end(), clients.begin(), clients.end());
  const Words servers = context.server_names();
  words.insert(words.end(), servers.begin(), servers.end());
  return field.word("process", words);
}

std::uint32_t read_count(const Field& field, std::int64_t most) {
  return static_cast<std::uint32_t>(field.integer(1, most));
}

void read_phase(const Fields& fields, bool of_server, StepSelector& selector) {
  const Words client_phases{"sending", "arrived", "applied", "replied"};
  const Words server_phases{"arrived", "applied"};  // the only steps that a server sees
  const std::string word =
      fields.need("phase", enumeration(of_server ? server_phases : client_phases))
          .word(of_server ? "phase of a server" : "phase", of_server ? server_phases : client_phases);
  for (const Phase phase : {Phase::sending, Phase::arrived, Phase::applied, Phase::replied}) {
    if (to_text(phase) == word) {
      selector.phase = phase;
    }
  }
}

std::string read_command(const Field& field) {
  const std::string command = field.text();
  if (command == "read" || command == "write") {
    return command;  // of storage
  }
  Words expected;
  for (const Store* const store : all_stores()) {
    if (store->is_call_name(command)) {
      return command;
    }
    if (store->has_servers()) {
      expected.emplace_back(store->call_name_text());
    }
  }
  field.fail(fmt::format("{} is no command, expected {}, or storage's \"read\" or \"write\"",
                         in_quotes(command), fmt::join(expected, ", ")));
}

// {"time"} | {"client"/"server", "step"} | {"client", "point"} | {"client"/"server", "command"?, "phase"}
StepSelector read_selector(const Field& field, const Context& context) {
  const Fields fields(
      field, Words{"time", "client", "server", "step", "point", "command", "phase", "nth", "thread"});
  StepSelector selector;
  if (const auto time = fields.find("time")) {
    if (field.node().keys.size() > 1) {
      field.fail("a time and a step exclude each other; expected only \"time\", or no \"time\"");
    }
    selector.time = time->duration(context.ttl());
    return selector;
  }

  const auto client = fields.find("client");
  const auto server = fields.find("server");
  if (client.has_value() == server.has_value()) {
    field.fail(
        "whose step it is must be said once; expected either \"client\" or \"server\" (or only \"time\")");
  }
  selector.process = client ? client->word("client", context.client_names()) : read_server(*server, context);

  if (const auto step = fields.find("step")) {
    fields.allow_only(Words{"client", "server", "step"}, "a step that is named by its number");
    selector.ordinal = read_count(*step, most_steps);
    return selector;
  }
  if (const auto point = fields.find("point")) {
    fields.allow_only(Words{"client", "point", "nth", "thread"}, "a step at a point");
    const Words points{"start",  "acquire", "acquired", "read",     "work",
                       "worked", "written", "release",  "released", "end"};
    selector.phase = Phase::point;
    selector.name = point->word("point", points);
  } else if (fields.has("command") || fields.has("phase")) {
    read_phase(fields, server.has_value(), selector);
    if (const auto command = fields.find("command")) {
      selector.name = read_command(*command);
    }
  } else {
    field.fail("which step it is must be said; expected \"point\", \"command\" with \"phase\", or \"step\"");
  }
  if (const auto nth = fields.find("nth")) {
    selector.nth = read_count(*nth, most_steps);
  }
  if (const auto thread = fields.find("thread")) {
    if (server) {
      thread->fail("a server has no threads of its own; expected \"client\" instead of \"server\"");
    }
    selector.thread = read_count(*thread, context.client(selector.process)->threads);
  }
  return selector;
}

void read_on(const Field& field, FaultPlace place, const FaultParameters& parameters, const Context& context,
             FaultSpec& spec) {
  const bool sweep = place == FaultPlace::at_every_step;
  spec.on = read_process(field, context, sweep ? Words{"clients", "servers"} : Words{});
  using Strikes = FaultParameters::Strikes;
  const bool server = spec.on == "servers" || names_a_store(spec.on);
  const bool client = spec.on == "clients" || context.client(spec.on) != nullptr;
  if (parameters.strikes == Strikes::servers && !server) {
    field.fail(fmt::format("{} strikes only servers of the lock, expected {}", spec.fault,
                           sweep ? "servers" : context.servers_text()));
  }
  if (parameters.strikes == Strikes::clients && !client) {
    field.fail(fmt::format("{} strikes only clients, expected {}", spec.fault,
                           sweep ? "clients" : enumeration(context.client_names())));
  }
}

// Whether the fault can do anything at that step.
void check_step(const Field& at, const FaultParameters& parameters, const FaultSpec& spec) {
  using Step = FaultParameters::Step;
  const bool of_call = spec.at.phase && *spec.at.phase != Phase::point;
  const bool numbered = spec.at.ordinal != 0;  // could be any step
  const bool lasts = spec.lasts || spec.until;
  if (parameters.step == Step::reply && spec.at.phase != Phase::applied && !numbered) {
    at.fail(fmt::format("{} strikes an answer; expected a step with \"phase\": \"applied\"", spec.fault));
  }
  if (parameters.step == Step::call_or_lasting && !of_call && !numbered && !lasts) {
    at.fail(
        fmt::format("{} needs a message to strike, or to last; expected a step with a \"phase\", or "
                    "\"for\" or \"until\"",
                    spec.fault));
  }
}

void read_peers(const Field& field, const Context& context, FaultSpec& spec) {
  Words words{"all", "servers", "storage", "clients"};
  const Words clients = context.client_names();
  words.insert(words.end(), clients.begin(), clients.end());
  const bool server = field.is(JsonNode::Kind::text) && is_server_name(field.node().text, context.replicas());
  spec.peers = server ? field.node().text : field.word("peer", words);
  if (spec.peers == spec.on) {
    field.fail(
        fmt::format("{} is itself the process that is struck, expected another", in_quotes(spec.peers)));
  }
}

void read_lasting(const Fields& fields, FaultPlace place, const Context& context, FaultSpec& spec) {
  if (const auto lasts = fields.find("for")) {
    spec.lasts = lasts->positive_duration(context.ttl());
  }
  if (const auto until = fields.find("until")) {
    if (spec.lasts) {
      until->fail("\"for\" and \"until\" exclude each other; expected one of them");
    }
    if (place == FaultPlace::at_every_step) {
      until->fail("a fault of a sweep has no \"until\"; expected \"for\"");
    }
    spec.until = read_selector(*until, context);
  }
}

void read_clock_parameters(const Fields& fields, const Context& context, bool of_clock, FaultSpec& spec) {
  if (const auto by = fields.find("by")) {
    spec.by = of_clock ? by->signed_duration() : by->positive_duration(context.ttl());
  }
  if (const auto every = fields.find("every")) {
    spec.every = every->positive_duration(context.ttl());
  }
  if (const auto steps = fields.find("steps")) {
    spec.steps = steps->integer(1, 10'000);
  }
  if (const auto drift = fields.find("parts_per_million")) {
    spec.parts_per_million = drift->integer(1 - whole_in_millionths, whole_in_millionths);
    if (spec.parts_per_million == 0) {
      drift->fail("a drift of 0 is none; expected for example 50000, five per cent fast");
    }
  }
  if (const auto clock = fields.find("clock")) {
    spec.clock = clock->word("clock", Words{"wall", "monotonic", "both"});
  }
}

void read_thread(const Field& field, const Context& context, FaultSpec& spec) {
  const ClientSpec* client = context.client(spec.on);
  if (client == nullptr) {
    field.fail(fmt::format("{} is no client with threads; expected no \"thread\"", spec.on));
  }
  spec.thread = read_count(field, client->threads);
}

void check_needs(const Fields& fields, const FaultSpec& spec, const FaultParameters& parameters) {
  for (const std::string& need : parameters.needs) {
    Words alternatives;
    std::size_t start = 0;
    while (start <= need.size()) {
      const std::size_t end = std::min(need.find('|', start), need.size());
      alternatives.push_back(need.substr(start, end - start));
      start = end + 1;
    }
    if (std::none_of(alternatives.begin(), alternatives.end(),
                     [&](const auto& each) { return fields.has(each); })) {
      for (std::string& each : alternatives) {
        each = fmt::format("\"{}\"", each);
      }
      fields.object().fail(
          fmt::format("{} needs {}, which is missing", spec.fault, enumeration(alternatives)));
    }
  }
}

}  // namespace

bool is_server_name(std::string_view name, std::size_t replicas) {
  return name == "storage" || is_member_name(name, replicas);
}

FaultSpec read_fault(const Field& field, FaultPlace place, const Scenario& scenario,
                     const ScenarioNames& names) {
  const Context context{scenario, names};
  const Fields fields(field);
  Words ids;
  for (const auto& [id, unused] : names.faults) {
    ids.push_back(id);
  }
  FaultSpec spec;
  const Field id = fields.need("fault", "the id of a fault, such as \"gc-pause\"");
  spec.fault = id.word("fault", ids);
  const FaultParameters& parameters = names.faults.at(spec.fault);

  Words allowed{"fault", "on", "at"};
  if (place == FaultPlace::at_every_step) {
    allowed.pop_back();
    if (const auto at = fields.find("at")) {
      at->fail(
          "a fault of a sweep is tried at every step; expected no \"at\" here, or the fault in \"faults\"");
    }
  }
  allowed.insert(allowed.end(), parameters.reads.begin(), parameters.reads.end());
  fields.allow_only(allowed, spec.fault);

  read_on(fields.need("on", "the process that it strikes"), place, parameters, context, spec);
  check_needs(fields, spec, parameters);
  read_lasting(fields, place, context, spec);
  if (place == FaultPlace::at_a_step) {
    const Field at = fields.need("at", "the step or time at which it strikes");
    spec.at = read_selector(at, context);
    check_step(at, parameters, spec);
  }
  const bool of_clock = std::find(allowed.begin(), allowed.end(), "clock") != allowed.end();
  read_clock_parameters(fields, context, of_clock, spec);
  if (const auto thread = fields.find("thread")) {
    read_thread(*thread, context, spec);
  }
  if (const auto peers = fields.find("peers")) {
    read_peers(*peers, context, spec);
  }
  if (const auto messages = fields.find("messages")) {
    spec.messages = messages->word("way to treat messages", Words{"lost", "held"});
  }
  if (const auto direction = fields.find("direction")) {
    spec.direction = direction->word("direction", Words{"both", "to", "from"});
  }
  return spec;
}

}  // namespace holdfast
