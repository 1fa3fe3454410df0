// holdfast list locks|mutants|scenarios|shapes|faults|topology|schema: what there is, as a table or as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/list/list_json.h"
#include "harness/cli/list/list_options.h"
#include "harness/cli/terminal/commands.h"
#include "harness/cli/terminal/table.h"
#include "harness/scenario/file/schema.h"
#include "harness/stores/store.h"
#include "harness/text/bad_input.h"
#include "harness/text/suggest.h"
#include "harness/text/text_width.h"
#include "harness/workload/shapes.h"
#include "locks/lookup/lookup.h"
#include "locks/mutants/catalog.h"
#include "locks/sources/passages.h"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Feature {
  std::string_view name;
  std::string_view title;  // of its column
  bool LockFeatures::* member;
};
constexpr std::array<Feature, 9> features{{{"re-entrant", "re-\nentrant", &LockFeatures::reentrant},
                                           {"blocking", "block-\ning", &LockFeatures::blocking},
                                           {"try", "try", &LockFeatures::tries},
                                           {"timed", "timed", &LockFeatures::timed},
                                           {"woken", "woken", &LockFeatures::woken},
                                           {"fair", "fair", &LockFeatures::fair},
                                           {"renewing", "renew-\ning", &LockFeatures::renews},
                                           {"owner-checked", "owner-\nchecked", &LockFeatures::owner_checked},
                                           {"token", "token", &LockFeatures::token}}};

std::string_view to_text(LockKind kind) {
  constexpr std::array<std::string_view, 4> names{"mutex", "read-write", "semaphore", "latch"};
  return names.at(static_cast<std::size_t>(kind));
}

std::string lease_text(const LockEntry& lock) {
  return lock.ttl == Duration::zero() ? "–" : fmt::format("{} s", to_milliseconds(lock.ttl) / 1000);
}

std::string locks_table(const Terminal& terminal) {
  std::vector<std::string> titles{"lock"};
  for (const Feature& feature : features) {
    titles.emplace_back(feature.title);
  }
  titles.insert(titles.end(), {"lease", "source", "what it does"});
  Table table(std::move(titles));
  for (const LockEntry& lock : all_locks()) {
    std::vector<std::string> row{std::string(lock.id)};
    for (const Feature& feature : features) {
      row.emplace_back(lock.features.*feature.member ? "✓" : "·");
    }
    row.insert(row.end(), {lease_text(lock), std::string(lock.source), std::string(lock.summary)});
    table.add_row(std::move(row));
  }
  return table.text(terminal);
}

// What the documents say that the references in a lock's source name.
std::vector<const Passage*> passages_of(const LockEntry& lock) {
  std::vector<const Passage*> found;
  for (const std::string& reference : references_in(lock.source)) {
    if (const Passage* const passage = find_passage(reference); passage != nullptr) {
      found.push_back(passage);
    }
  }
  return found;
}

std::string lock_sources_table(const Terminal& terminal) {
  Table table({"lock", "source", "what stands there"});
  for (const LockEntry& lock : all_locks()) {
    const std::vector<const Passage*> found = passages_of(lock);
    if (found.empty()) {
      table.add_row({std::string(lock.id), std::string(lock.source), "–"});
    }
    for (const Passage* passage : found) {
      table.add_row({passage == found.front() ? std::string(lock.id) : "", std::string(passage->reference),
                     std::string(passage->says)});
    }
  }
  return table.text(terminal);
}

Json lock_sources_json() {
  Json list = Json::array();
  for (const LockEntry& lock : all_locks()) {
    Json entry{{"id", lock.id}, {"source", lock.source}, {"passages", Json::array()}};
    for (const Passage* passage : passages_of(lock)) {
      entry["passages"].push_back({{"reference", passage->reference}, {"says", passage->says}});
    }
    list.push_back(std::move(entry));
  }
  return list;
}

Json locks_json() {
  Json list = Json::array();
  for (const LockEntry& lock : all_locks()) {
    Json entry{
        {"id", lock.id}, {"kind", to_text(lock.kind)}, {"summary", lock.summary}, {"source", lock.source}};
    entry["lease_ms"] = to_milliseconds(lock.ttl);
    entry["store"] = lock.needs.store;
    for (const Store* const store : all_stores()) {
      if (store->has_servers()) {
        entry[fmt::format("{}_servers", store->id())] =
            store->id() == lock.needs.store ? lock.needs.servers : 0;
      }
    }
    for (const Feature& feature : features) {
      entry["features"][std::string(feature.name)] = lock.features.*feature.member;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

std::string mutants_table(const Terminal& terminal) {
  Table table({"mutant", "of", "what is wrong with it"});
  for (const MutantEntry& mutant : all_mutants()) {
    table.add_row({std::string(mutant.lock.id), std::string(mutant.correct), std::string(mutant.bug)});
  }
  return table.text(terminal);
}

Json mutants_json() {
  Json list = Json::array();
  for (const MutantEntry& mutant : all_mutants()) {
    list.push_back({{"id", mutant.lock.id}, {"of", mutant.correct}, {"bug", mutant.bug}});
  }
  return list;
}

std::string scenarios_table(const std::vector<Scenario>& scenarios, const Terminal& terminal) {
  Table table({"scenario", "lock", "source", "what happens"});
  const auto add = [&](const Scenario& scenario) {
    table.add_row({printable(scenario.name), scenario.lock + (scenario.any_lock ? ", or any" : ""),
                   scenario.source.empty() ? "–" : printable(scenario.source), printable(scenario.title)});
  };
  table.add_heading("stories");
  for (const Scenario& scenario : scenarios) {
    if (!scenario.is_family()) {
      add(scenario);
    }
  }
  table.add_heading("families: one fault tried at every step, a column of the matrix each");
  for (const Scenario& scenario : scenarios) {
    if (scenario.is_family()) {
      add(scenario);
    }
  }
  return table.text(terminal);
}

Json scenarios_json(const std::vector<Scenario>& scenarios) {
  Json list = Json::array();
  for (const Scenario& scenario : scenarios) {
    list.push_back({{"name", scenario.name},
                    {"title", scenario.title},
                    {"about", scenario.about},
                    {"source", scenario.source},
                    {"lock", scenario.lock},
                    {"any_lock", scenario.any_lock},
                    {"family", scenario.is_family()}});
  }
  return list;
}

std::string shapes_table(const Terminal& terminal) {
  Table table({"shape", "what clients do in it"});
  for (const Shape& shape : all_shapes()) {
    table.add_row({std::string(shape.id), std::string(shape.sentence)});
  }
  return table.text(terminal);
}

Json shapes_json() {
  Json list = Json::array();
  for (const Shape& shape : all_shapes()) {
    list.push_back({{"id", shape.id}, {"about", shape.sentence}});
  }
  return list;
}

struct ListOptions {
  std::string topic;
  bool json = false;
  bool markdown = false;
  bool source = false;
};

// What is listed, in each of its forms; no markdown: there is none.
struct Listing {
  Json json;
  std::string table;
  std::string markdown = {};
};

Listing scenarios_listing(const Invocation& invocation) {
  std::vector<Scenario> scenarios = invocation.shelf.all();
  std::stable_sort(scenarios.begin(), scenarios.end(), [](const Scenario& a, const Scenario& b) {
    return a.column.value_or(0) < b.column.value_or(0);
  });
  return {scenarios_json(scenarios), scenarios_table(scenarios, invocation.terminal)};
}

Listing listing_of(const ListOptions& options, const Invocation& invocation) {
  const Terminal& terminal = invocation.terminal;
  if (options.topic == "locks") {
    return options.source ? Listing{lock_sources_json(), lock_sources_table(terminal)}
                          : Listing{locks_json(), locks_table(terminal)};
  }
  if (options.topic == "mutants") {
    return {mutants_json(), mutants_table(terminal)};
  }
  if (options.topic == "scenarios") {
    return scenarios_listing(invocation);
  }
  if (options.topic == "shapes") {
    return {shapes_json(), shapes_table(terminal)};
  }
  if (options.topic == "faults") {
    return {faults_json(), faults_table(terminal), faults_markdown()};
  }
  return {topology_json(), topology_table(terminal), topology_markdown()};
}

int list(const ListOptions& options, Invocation& invocation) {
  const std::vector<std::string> topics{"locks",  "mutants",  "scenarios", "shapes",
                                        "faults", "topology", "schema"};
  if (options.topic.empty()) {
    throw BadInput(fmt::format("list wants to know what: {}", enumeration(topics)));
  }
  if (std::find(topics.begin(), topics.end(), options.topic) == topics.end()) {
    throw unknown_word("list of", options.topic, topics, "holdfast list --help");
  }
  if (options.source && options.topic != "locks") {
    throw BadInput("--source goes with \"list locks\"");
  }
  if (options.markdown && (options.json || (options.topic != "faults" && options.topic != "topology"))) {
    throw BadInput("--markdown goes with \"list faults\" and \"list topology\", without --json");
  }
  if (options.topic == "schema") {
    invocation.output.print(scenario_schema_text());
    return exit_well;
  }
  const Listing listing = listing_of(options, invocation);
  invocation.output.print(options.json
                              ? listing.json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"
                          : options.markdown ? listing.markdown
                                             : listing.table);
  return exit_well;
}

}  // namespace

std::string locks_json_text() {
  return locks_json().dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void add_list_command(CLI::App& app, Handler& chosen) {
  const auto options = std::make_shared<ListOptions>();
  Subcommand(app, "list",
             "What there is: locks with their features, mutants of them, scenarios, shapes that clients of a "
             "family work in, faults and what they read, what the topology of a scenario may say, and the "
             "JSON Schema of scenario files.")
      .word("WHAT", options->topic, "locks, mutants, scenarios, shapes, faults, topology or schema")
      .flag("--json", options->json, "as JSON")
      .flag("--markdown", options->markdown, "of faults and topology: as scenarios/README.md has them")
      .flag("--source", options->source, "of locks: what the documents say that they are taken from")
      .act(chosen, [options](Invocation& invocation) { return list(*options, invocation); });
}

}  // namespace holdfast::cli
