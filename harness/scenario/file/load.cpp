#include "harness/scenario/file/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>

#include "harness/check/catalog.h"
#include "harness/check/letter.h"
#include "harness/scenario/file/load_faults.h"
#include "harness/scenario/file/load_field.h"
#include "harness/scenario/file/load_json.h"
#include "harness/scenario/file/load_option.h"
#include "harness/stores/store.h"
#include "harness/text/suggest.h"

namespace holdfast {
namespace {

using Words = std::vector<std::string>;

constexpr std::int64_t most_clients = 64;
constexpr std::int64_t most_threads = 16;
constexpr std::int64_t most_rounds = 10'000;
constexpr std::int64_t most_replicas_waited_for = 5;
constexpr std::size_t longest_client_name = 16;

std::uint32_t small_number(const Field& field, std::int64_t most) {
  return static_cast<std::uint32_t>(field.integer(1, most));
}

void read_options(const Fields& fields, const Store& store, bool only_of_old, std::optional<Duration> ttl,
                  TopologySpec& topology) {
  for (const Option& option : store.options()) {
    if (only_of_old && !option.stood_in_topology) {
      continue;
    }
    if (const auto field = fields.find(option.name)) {
      topology.set(store.id(), option, read_option(*field, option, ttl));
    }
  }
}

Words names_of(std::span<const Option> options) {
  Words words;
  for (const Option& option : options) {
    words.emplace_back(option.name);
  }
  return words;
}

// Of what is said in both places one would win, and the reader would not know which.
void refuse_what_is_said_twice(const Fields& outside, const Fields& inside, const Store& store) {
  for (const Option& option : store.options()) {
    const auto field = option.stood_in_topology ? outside.find(option.name) : std::nullopt;
    if (field && inside.find(option.name)) {
      field->fail(fmt::format("it stands in \"{}\", too; keep one of them", store.id()));
    }
  }
}

// What servers of each store are like; in a file without a version it stands here itself.
void read_stores(const Fields& fields, std::int64_t version, std::optional<Duration> ttl,
                 TopologySpec& topology) {
  for (const Store* const store : all_stores()) {
    if (version < scenario_version) {
      read_options(fields, *store, true, ttl, topology);
    }
    if (const auto part = fields.find(store->id()); part && !store->options().empty()) {
      const Fields inside(*part, names_of(store->options()));
      if (version < scenario_version) {
        refuse_what_is_said_twice(fields, inside, *store);
      }
      read_options(inside, *store, false, ttl, topology);
    }
  }
}

Words topology_words(std::int64_t version) {
  Words words;
  for (const Store* const store : all_stores()) {
    if (!store->options().empty()) {
      words.emplace_back(store->id());
    }
    for (const Option& option : store->options()) {
      if (version < scenario_version && option.stood_in_topology) {
        words.emplace_back(option.name);
      }
    }
  }
  words.insert(words.end(), {"token_checking", "latency"});
  return words;
}

TopologySpec read_topology(const Field& field, std::int64_t version, std::optional<Duration> ttl) {
  const Fields fields(field, topology_words(version));
  TopologySpec topology;
  read_stores(fields, version, ttl, topology);
  if (const auto checking = fields.find("token_checking")) {
    topology.token_checking = checking->word("token checking", Words{"auto", "on", "off"});
  }
  if (const auto latency = fields.find("latency")) {
    const Fields parts(*latency, Words{"least", "jitter_step", "jitter_steps"});
    if (const auto least = parts.find("least")) {
      topology.latency.least = least->fixed_duration();
    }
    if (const auto step = parts.find("jitter_step")) {
      topology.latency.jitter_step = step->fixed_duration();
    }
    if (const auto steps = parts.find("jitter_steps")) {
      topology.latency.jitter_steps = small_number(*steps, 10'000);
    }
  }
  return topology;
}

SettingsSpec read_settings(const Field& field) {
  const Fields fields(field,
                      Words{"ttl", "retry_interval", "retry_jitter", "wait_replicas", "command_timeout"});
  SettingsSpec settings;
  std::optional<Duration> lease;
  if (const auto ttl = fields.find("ttl")) {
    lease = ttl->fixed_duration();
    if (*lease < 1ms) {
      ttl->fail("a lease this short cannot be told to a server; expected at least \"1ms\"");
    }
    settings.ttl = ScenarioDuration{*lease, 0};
  }
  if (const auto interval = fields.find("retry_interval")) {
    settings.retry_interval = interval->positive_duration(lease);
  }
  if (const auto jitter = fields.find("retry_jitter")) {
    settings.retry_jitter = jitter->duration(lease);
  }
  if (const auto replicas = fields.find("wait_replicas")) {
    settings.wait_replicas = replicas->integer(0, most_replicas_waited_for);
  }
  if (const auto timeout = fields.find("command_timeout")) {
    settings.command_timeout = timeout->positive_duration(lease);
  }
  return settings;
}

WorkloadSpec read_workload(const Field& field, std::optional<Duration> ttl) {
  const Fields fields(field,
                      Words{"kind", "rounds", "work", "pause", "stock", "permits", "patience", "objects"});
  const Words kinds{"cycle", "reentrant", "twice", "foreign", "readers-writers",
                    "roles", "permits",   "latch", "oversell"};
  WorkloadSpec workload;
  if (const auto kind = fields.find("kind")) {
    workload.kind = kind->word("workload", kinds);
  }
  if (const auto rounds = fields.find("rounds")) {
    workload.rounds = small_number(*rounds, most_rounds);
  }
  if (const auto work = fields.find("work")) {
    workload.work = work->duration(ttl);
  }
  if (const auto pause = fields.find("pause")) {
    workload.pause = pause->duration(ttl);
  }
  if (const auto stock = fields.find("stock")) {
    workload.stock = stock->integer(0, 1'000'000);
    if (workload.kind != "oversell") {
      stock->fail(fmt::format("only the workload oversell reads \"stock\", and this is {}", workload.kind));
    }
  }
  if (const auto permits = fields.find("permits")) {
    workload.permits = permits->integer(1, 1000);
    if (workload.kind != "permits") {
      permits->fail(
          fmt::format("only the workload permits reads \"permits\", and this is {}", workload.kind));
    }
  }
  if (const auto patience = fields.find("patience")) {
    workload.patience = patience->positive_duration(ttl);
  }
  if (const auto objects = fields.find("objects")) {
    workload.own_objects = objects->word("choice of objects", Words{"process", "thread"}) == "thread";
  }
  return workload;
}

// Words that mean something else where a client's name can stand.
bool is_reserved(std::string_view name) {
  const Words reserved{"all", "clients", "servers", "world"};
  return names_a_store(name) || name == "storage" ||
         std::find(reserved.begin(), reserved.end(), name) != reserved.end();
}

std::string read_client_name(const Field& field) {
  const std::string name = field.text();
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
  if (!plain || name.size() > longest_client_name || name.front() < 'a') {
    field.fail(
        fmt::format("{} is no name for a client, expected a lower-case letter, then up to {} of a-z, "
                    "0-9, - and _",
                    in_quotes(name), longest_client_name - 1));
  }
  if (is_reserved(name)) {
    field.fail(fmt::format(
        "\"{}\" cannot name a client, it means something else; expected one such as \"c1\"", name));
  }
  return name;
}

ClientSpec read_client(const Field& field, std::optional<Duration> ttl) {
  const Fields fields(field, Words{"name", "threads", "start", "role", "rounds", "work"});
  ClientSpec client;
  client.name = read_client_name(fields.need("name", "one such as \"c1\""));
  if (const auto threads = fields.find("threads")) {
    client.threads = small_number(*threads, most_threads);
  }
  if (const auto start = fields.find("start")) {
    client.start = start->duration(ttl);
  }
  if (const auto role = fields.find("role")) {
    client.role = role->word("role", Words{"", "stranger", "reader", "writer"});
  }
  if (const auto rounds = fields.find("rounds")) {
    client.rounds = small_number(*rounds, most_rounds);
  }
  if (const auto work = fields.find("work")) {
    client.work = work->duration(ttl);
  }
  return client;
}

// A number of equal clients, or each by name.
std::vector<ClientSpec> read_clients(const Field& field, std::optional<Duration> ttl) {
  std::vector<ClientSpec> clients;
  if (field.is(JsonNode::Kind::integer)) {
    clients.resize(static_cast<std::size_t>(field.integer(1, most_clients)));
    for (std::size_t index = 0; index < clients.size(); ++index) {
      clients[index].name = fmt::format("c{}", index + 1);
    }
    return clients;
  }
  if (!field.is(JsonNode::Kind::array)) {
    field.fail("expected a number of clients or a list of them");
  }
  const std::vector<Field> items = field.items();
  if (items.empty() || static_cast<std::int64_t>(items.size()) > most_clients) {
    field.fail(fmt::format("expected 1 to {} clients, found {}", most_clients, items.size()));
  }
  for (const Field& item : items) {
    ClientSpec client = read_client(item, ttl);
    if (std::any_of(clients.begin(), clients.end(),
                    [&](const auto& each) { return each.name == client.name; })) {
      item.fail(fmt::format("there already is a client \"{}\"; expected a name of its own", client.name));
    }
    clients.push_back(std::move(client));
  }
  return clients;
}

Expectation read_expectation(const Field& field) {
  const Fields fields(field, Words{"letter", "reasoned", "note"});
  const Words letters{"S", "V", "F", "L", "U", "D", "E", "-"};
  Expectation expectation;
  expectation.letter = fields.need("letter", enumeration(letters)).word("letter", letters);
  if (const auto reasoned = fields.find("reasoned")) {
    expectation.reasoned = reasoned->word("letter", letters);
  }
  if (const auto note = fields.find("note")) {
    expectation.note = note->text();
  }
  return expectation;
}

// Reads one whole file; its parts in an order in which each can be checked against those before it.
class ScenarioReader {
 public:
  ScenarioReader(const Field& root, const std::string& name, const ScenarioNames& names)
      : fields_(root, Words{"version", "title", "about", "source", "lock", "any_lock", "topology", "settings",
                            "clients", "workload", "faults", "sweep", "seeds", "column", "properties",
                            "time_limit", "event_limit", "expect", "expect_for"}),
        names_(names) {
    scenario_.name = name;
  }

  Scenario read() {
    read_version();
    read_title();
    read_lock();
    read_world();
    read_family();
    read_faults();
    read_judging();
    return std::move(scenario_);
  }

 private:
  void read_version() {
    if (const auto version = fields_.find("version")) {
      version_ = version->integer(1, std::numeric_limits<std::int64_t>::max());
      if (version_ > scenario_version) {
        version->fail(
            fmt::format("this holdfast reads versions up to {}; expected one of those, or a newer holdfast",
                        scenario_version));
      }
    }
  }

  void read_title() {
    scenario_.title = fields_.need("title", "a few words").text();
    scenario_.about = fields_.need("about", "what happens, in sentences").text();
    if (const auto source = fields_.find("source")) {
      scenario_.source = source->text();
    }
  }

  void read_lock() {
    const auto lock = fields_.need("lock", "the id of a lock, such as \"redis-px-cad\"");
    // Of a mutant (redis-px-cad~not-sent@release:EVAL) the lock has to be there; whoever runs it finds the
    // rest.
    const std::string id = lock.text();
    const bool is_mutant =
        id.find('~') != std::string::npos && std::ranges::count(names_.locks, id.substr(0, id.find('~'))) > 0;
    scenario_.lock = is_mutant ? id : lock.word("lock", names_.locks);
    if (const auto any_lock = fields_.find("any_lock")) {
      scenario_.any_lock = any_lock->boolean();
    }
  }

  void read_world() {
    std::optional<Duration> ttl;
    if (const auto settings = fields_.find("settings")) {
      scenario_.settings = read_settings(*settings);
      if (scenario_.settings.ttl) {
        ttl = scenario_.settings.ttl->fixed;
      }
    }
    if (const auto topology = fields_.find("topology")) {
      scenario_.topology = read_topology(*topology, version_, ttl);
    }
    scenario_.clients = read_clients(fields_.need("clients", "a number of clients or a list of them"), ttl);
    if (const auto workload = fields_.find("workload")) {
      scenario_.workload = read_workload(*workload, ttl);
    }
    if (const auto limit = fields_.find("time_limit")) {
      scenario_.time_limit = limit->positive_duration(ttl);
    }
    if (const auto limit = fields_.find("event_limit")) {
      scenario_.event_limit = static_cast<std::uint64_t>(limit->integer(1000, 100'000'000));
    }
  }

  void read_family() {
    if (const auto column = fields_.find("column")) {
      scenario_.column = small_number(*column, 1000);
      if (!scenario_.any_lock) {
        column->fail("a family is run with every lock; expected \"any_lock\": true beside \"column\"");
      }
    }
    for (const std::string_view name : {"seeds", "sweep"}) {
      if (const auto field = fields_.find(name); field && !scenario_.is_family()) {
        field->fail(
            "only a family reads this; expected a \"column\" beside it, or \"faults\" with an \"at\"");
      }
    }
    if (const auto seeds = fields_.find("seeds")) {
      scenario_.seeds = small_number(*seeds, 100'000);
    }
  }

  void read_faults() {
    if (const auto faults = fields_.find("faults")) {
      for (const Field& fault : faults->items()) {
        scenario_.faults.push_back(read_fault(fault, FaultPlace::at_a_step, scenario_));
        check_store(fault, scenario_.faults.back());
      }
    }
    if (const auto sweep = fields_.find("sweep")) {
      for (const Field& fault : sweep->items()) {
        scenario_.sweep.push_back(read_fault(fault, FaultPlace::at_every_step, scenario_));
      }
    }
  }

  // A sweep is run with locks of every store, and tries such a fault where it can strike.
  void check_store(const Field& field, const FaultSpec& fault) const {
    const auto store = names_.stores.find(scenario_.lock.substr(0, scenario_.lock.find('~')));
    if (store != names_.stores.end()) {
      check_fault_suits(field, fault, scenario_.lock, store->second);
    }
  }

  void read_judging() {
    if (const auto properties = fields_.find("properties")) {
      for (const Field& property : properties->items()) {
        scenario_.properties.push_back(property_in(property));
      }
    }
    if (const auto expect = fields_.find("expect")) {
      scenario_.expect = read_expectation(*expect);
    }
    if (const auto expect_for = fields_.find("expect_for")) {
      read_expectations_by_lock(*expect_for);
    }
  }

  // Its id, also where a file has the name by which the verdict is told.
  static std::string property_in(const Field& field) {
    const CheckRow* const row = find_check(field.text());
    return row != nullptr ? std::string(row->id) : field.word("property", check_ids());
  }

  void read_expectations_by_lock(const Field& field) {
    const Fields by_lock(field);
    for (const std::string& id : field.node().keys) {
      const Field entry = by_lock.need(id, "");
      if (std::find(names_.locks.begin(), names_.locks.end(), id) == names_.locks.end()) {
        entry.fail(fmt::format("there is no lock {}{}", in_quotes(id), did_you_mean_text(id, names_.locks)));
      }
      if (!scenario_.any_lock && id != scenario_.lock) {
        entry.fail(
            fmt::format("this scenario runs with {} only; expected \"any_lock\": true, or no such entry",
                        scenario_.lock));
      }
      scenario_.expect_for.emplace(id, read_expectation(entry));
    }
  }

  Fields fields_;
  const ScenarioNames& names_;
  std::int64_t version_ = 1;
  Scenario scenario_;
};

}  // namespace

Scenario parse_scenario(std::string_view text, const std::string& file, const std::string& name,
                        const ScenarioNames& names) {
  const JsonNode root = parse_json(text, file);
  return ScenarioReader(Field(root, "", file), name, names).read();
}

Scenario load_scenario(const std::string& path, const ScenarioNames& names) {
  const std::string text = read_scenario_text(path);
  return parse_scenario(text, path, std::filesystem::path(path).stem().string(), names);
}

}  // namespace holdfast
