#include "harness/scenario/file/load_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "faults/catalog.h"
#include "harness/scenario/file/load_option.h"
#include "harness/stores/store.h"
#include "harness/text/suggest.h"

namespace holdfast {
namespace {

constexpr std::int64_t most_steps = 1'000'000;

using Words = std::vector<std::string>;

struct Context {
  const Scenario& scenario;

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

// Of a process that is a store's.
std::string_view store_of(std::string_view process) {
  for (const Store* const store : all_stores()) {
    if (store->has_servers() && process.starts_with(store->id())) {
      return store->id();
    }
  }
  return {};
}

void read_on(const Field& field, FaultPlace place, const FaultEntry& entry, const Context& context,
             FaultSpec& spec) {
  const bool sweep = place == FaultPlace::at_every_step;
  spec.on = read_process(field, context, sweep ? Words{"clients", "servers"} : Words{});
  const bool server = spec.on == "servers" || names_a_store(spec.on);
  const bool client = spec.on == "clients" || context.client(spec.on) != nullptr;
  if (names_a_store(spec.on) && !suits(entry, store_of(spec.on))) {
    field.fail(fmt::format("{0} strikes only servers of {1}, expected {1}, {1}-2 or the like", spec.fault,
                           entry.store));
  }
  if (!entry.strikes_clients && !server) {
    field.fail(fmt::format("{} strikes only servers of the lock, expected {}", spec.fault,
                           sweep ? "servers" : context.servers_text()));
  }
  if (!entry.strikes_servers && !client) {
    field.fail(fmt::format("{} strikes only clients, expected {}", spec.fault,
                           sweep ? "clients" : enumeration(context.client_names())));
  }
}

// A step that is told by its number could be any.
bool may_be_of_a_call(const StepSelector& at) {
  return at.ordinal != 0 || (at.phase && *at.phase != Phase::point);
}

// Whether the fault can do anything at that step.
void check_step(const Field& at, const FaultEntry& entry, const FaultSpec& spec) {
  const bool numbered = spec.at.ordinal != 0;
  const bool lasts = spec.lasts || spec.until;
  if (entry.strikes_answers && spec.at.phase != Phase::applied && !numbered) {
    at.fail(fmt::format("{} strikes an answer; expected a step with \"phase\": \"applied\"", spec.fault));
  }
  if (entry.strikes_requests && spec.at.phase != Phase::sending && spec.at.phase != Phase::arrived &&
      !numbered) {
    at.fail(fmt::format("{} strikes a request; expected a step with \"phase\": \"sending\" or \"arrived\"",
                        spec.fault));
  }
  if (entry.strikes_threads && spec.at.process != spec.on) {
    at.fail(
        fmt::format("{} strikes the thread that takes the step; expected a step of {}", spec.fault, spec.on));
  }
  if (entry.lasting == Lasting::unless_a_message && !may_be_of_a_call(spec.at) && !lasts) {
    at.fail(
        fmt::format("{} needs a message to strike, or to last; expected a step with a \"phase\", or "
                    "\"for\" or \"until\"",
                    spec.fault));
  }
}

Phase read_swept_phase(const Field& at, const FaultEntry& entry) {
  if (!at.is(JsonNode::Kind::object) || at.node().keys.size() != 1 || at.node().keys.front() != "phase") {
    at.fail(
        "a fault of a sweep is tried at every step; expected only a \"phase\" here, or the fault in "
        "\"faults\"");
  }
  const Words phases = swept_phases(entry);
  const std::string word = Fields(at, Words{"phase"})
                               .need("phase", enumeration(phases))
                               .word(fmt::format("phase of a swept {}", entry.id), phases);
  return *std::ranges::find(entry.phases, word, [](Phase phase) { return to_text(phase); });
}

std::string read_peers(const Field& field, const Option& option, const Context& context,
                       const FaultSpec& spec) {
  Words words(option.words.begin(), option.words.end());
  const Words clients = context.client_names();
  words.insert(words.end(), clients.begin(), clients.end());
  const bool server = field.is(JsonNode::Kind::text) && is_server_name(field.node().text, context.replicas());
  std::string peers = server ? field.node().text : field.word(option.what, words);
  if (peers == spec.on) {
    field.fail(fmt::format("{} is itself the process that is struck, expected another", in_quotes(peers)));
  }
  return peers;
}

std::int64_t read_thread(const Field& field, const Option& option, const Context& context,
                         const FaultSpec& spec) {
  const ClientSpec* client = context.client(spec.on);
  if (client == nullptr) {
    field.fail(fmt::format("{} is no client with threads; expected no \"{}\"", spec.on, option.name));
  }
  return read_count(field, client->threads);
}

OptionValue read_option_of_fault(const Field& field, const Option& option, const Context& context,
                                 const FaultSpec& spec) {
  switch (option.kind) {
    case OptionKind::processes:
      return read_peers(field, option, context, spec);
    case OptionKind::thread:
      return read_thread(field, option, context, spec);
    default:
      return read_option(field, option, context.ttl());
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

void check_needs(const Fields& fields, const FaultEntry& entry) {
  const auto need_one_of = [&](Words names) {
    const auto is_there = [&](const std::string& name) { return fields.has(name); };
    if (names.empty() || std::ranges::any_of(names, is_there)) {
      return;
    }
    for (std::string& name : names) {
      name = fmt::format("\"{}\"", name);
    }
    fields.object().fail(fmt::format("{} needs {}, which is missing", entry.id, enumeration(names)));
  };
  for (const Option& option : entry.options) {
    if (option.is_required) {
      need_one_of({std::string(option.name)});
    }
  }
  if (entry.lasting != Lasting::unless_a_message) {
    need_one_of(lasting_words(entry));
  }
}

}  // namespace

bool is_server_name(std::string_view name, std::size_t replicas) {
  return name == "storage" || is_member_name(name, replicas);
}

std::vector<std::string> lasting_words(const FaultEntry& entry) {
  switch (entry.lasting) {
    case Lasting::at_once:
      return {};
    case Lasting::for_a_while:
      return {"for"};
    case Lasting::for_or_until:
    case Lasting::unless_a_message:
      break;
  }
  return {"for", "until"};
}

std::vector<std::string> words_of(const FaultEntry& entry) {
  Words words{"fault", "on", "at"};
  for (const Option& option : entry.options) {
    words.emplace_back(option.name);
  }
  const Words lasting = lasting_words(entry);
  words.insert(words.end(), lasting.begin(), lasting.end());
  return words;
}

std::vector<std::string> swept_phases(const FaultEntry& entry) {
  Words words;
  for (const Phase phase : entry.phases) {
    if (phase != Phase::point) {
      words.emplace_back(to_text(phase));
    }
  }
  return words;
}

void check_fault_suits(const Field& field, const FaultSpec& spec, std::string_view lock,
                       std::string_view store) {
  const FaultEntry& entry = *find_fault(spec.fault);
  if (!suits(entry, store)) {
    const Fields fields(field);
    fields.need("fault", "")
        .fail(fmt::format(
            "{} strikes only servers of {}, and {} runs on {}; expected a lock of {}, or another fault",
            spec.fault, entry.store, lock, store, entry.store));
  }
}

FaultSpec read_fault(const Field& field, FaultPlace place, const Scenario& scenario) {
  const Context context{scenario};
  const Fields fields(field);
  Words ids;
  for (const FaultEntry& each : all_faults()) {
    ids.emplace_back(each.id);
  }
  FaultSpec spec;
  const Field id = fields.need("fault", "the id of a fault, such as \"gc-pause\"");
  spec.fault = id.word("fault", ids);
  const FaultEntry& entry = *find_fault(spec.fault);

  fields.allow_only(words_of(entry), spec.fault);
  read_on(fields.need("on", "the process that it strikes"), place, entry, context, spec);
  check_needs(fields, entry);
  read_lasting(fields, place, context, spec);
  if (place == FaultPlace::at_a_step) {
    const Field at = fields.need("at", "the step or time at which it strikes");
    spec.at = read_selector(at, context);
    check_step(at, entry, spec);
  } else if (const auto at = fields.find("at")) {
    spec.at.phase = read_swept_phase(*at, entry);
  }
  for (const Option& option : entry.options) {
    if (const auto value = fields.find(option.name)) {
      spec.options.set(option, read_option_of_fault(*value, option, context, spec));
      if (option.needs_a_call && place == FaultPlace::at_a_step && !spec.options.is_usual(option) &&
          !may_be_of_a_call(spec.at)) {
        value->fail(
            fmt::format("{} says so of a call, and there is none at that step; expected a step with a "
                        "\"phase\", or no \"{}\"",
                        spec.fault, option.name));
      }
    }
  }
  return spec;
}

}  // namespace holdfast
