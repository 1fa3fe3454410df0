#include "harness/scenario/file/save.h"

#include <nlohmann/json.hpp>

#include "faults/catalog.h"
#include "harness/scenario/file/load_duration.h"
#include "harness/stores/store.h"

namespace holdfast {
namespace {

using ScenarioJson = nlohmann::ordered_json;

std::string fixed_text(Duration duration) {
  return to_text(ScenarioDuration{duration, 0});
}

bool same(const ScenarioDuration& one, const ScenarioDuration& other) {
  return one.fixed == other.fixed && one.ttl_per_mille == other.ttl_per_mille;
}

void put(ScenarioJson& json, const char* name, const std::optional<ScenarioDuration>& duration) {
  if (duration) {
    json[name] = to_text(*duration);
  }
}

ScenarioJson selector_json(const StepSelector& selector) {
  if (selector.time) {
    return {{"time", to_text(*selector.time)}};
  }
  const bool of_server = names_a_store(selector.process) || selector.process == "storage";
  ScenarioJson json{{of_server ? "server" : "client", selector.process}};
  if (selector.ordinal != 0) {
    json["step"] = selector.ordinal;
    return json;
  }
  if (selector.phase == Phase::point) {
    json["point"] = selector.name;
  } else {
    if (!selector.name.empty()) {
      json["command"] = selector.name;
    }
    json["phase"] = to_text(selector.phase.value_or(Phase::applied));
  }
  if (selector.nth != 1) {
    json["nth"] = selector.nth;
  }
  if (selector.thread != 0) {
    json["thread"] = selector.thread;
  }
  return json;
}

ScenarioJson option_json(const OptionValue& value) {
  if (const auto* const duration = std::get_if<ScenarioDuration>(&value)) {
    return to_text(*duration);
  }
  if (const auto* const word = std::get_if<std::string>(&value)) {
    return *word;
  }
  return std::get<std::int64_t>(value);
}

ScenarioJson fault_json(const FaultSpec& fault, bool at_every_step) {
  ScenarioJson json{{"fault", fault.fault}, {"on", fault.on}};
  const auto put_options = [&](bool about_the_process) {
    for (const Option& option : options_of(fault)) {
      if ((option.kind == OptionKind::thread) == about_the_process && !fault.options.is_usual(option)) {
        json[std::string(option.name)] = option_json(fault.options.value(option));
      }
    }
  };
  put_options(true);  // beside the process that it is about
  if (!at_every_step) {
    json["at"] = selector_json(fault.at);
  } else if (fault.at.phase) {
    json["at"] = {{"phase", to_text(*fault.at.phase)}};
  }
  put(json, "for", fault.lasts);
  if (fault.until) {
    json["until"] = selector_json(*fault.until);
  }
  put_options(false);
  return json;
}

ScenarioJson topology_json(const TopologySpec& topology) {
  const TopologySpec plain;
  ScenarioJson json = ScenarioJson::object();
  for (const Store* const store : all_stores()) {
    const OptionValues values = topology.of(store->id());
    for (const Option& option : store->options()) {
      if (!values.is_usual(option)) {
        json[std::string(store->id())][std::string(option.name)] = option_json(values.value(option));
      }
    }
  }
  if (topology.token_checking != plain.token_checking) {
    json["token_checking"] = topology.token_checking;
  }
  json["latency"] = {{"least", fixed_text(topology.latency.least)},
                     {"jitter_step", fixed_text(topology.latency.jitter_step)},
                     {"jitter_steps", topology.latency.jitter_steps}};
  return json;
}

ScenarioJson settings_json(const SettingsSpec& settings) {
  ScenarioJson json = ScenarioJson::object();
  put(json, "ttl", settings.ttl);
  put(json, "retry_interval", settings.retry_interval);
  put(json, "retry_jitter", settings.retry_jitter);
  if (settings.wait_replicas) {
    json["wait_replicas"] = *settings.wait_replicas;
  }
  if (!same(settings.command_timeout, SettingsSpec{}.command_timeout)) {
    json["command_timeout"] = to_text(settings.command_timeout);
  }
  return json;
}

ScenarioJson clients_json(const std::vector<ClientSpec>& clients) {
  ScenarioJson json = ScenarioJson::array();
  for (const ClientSpec& client : clients) {
    ScenarioJson each{{"name", client.name}};
    if (client.threads != 1) {
      each["threads"] = client.threads;
    }
    if (!same(client.start, {})) {
      each["start"] = to_text(client.start);
    }
    if (!client.role.empty()) {
      each["role"] = client.role;
    }
    if (client.rounds) {
      each["rounds"] = *client.rounds;
    }
    put(each, "work", client.work);
    json.push_back(std::move(each));
  }
  return json;
}

ScenarioJson workload_json(const WorkloadSpec& workload) {
  const WorkloadSpec plain;
  ScenarioJson json{{"kind", workload.kind}};
  if (workload.rounds != plain.rounds) {
    json["rounds"] = workload.rounds;
  }
  if (!same(workload.work, plain.work)) {
    json["work"] = to_text(workload.work);
  }
  if (!same(workload.pause, plain.pause)) {
    json["pause"] = to_text(workload.pause);
  }
  if (workload.kind == "oversell") {
    json["stock"] = workload.stock;
  }
  if (workload.kind == "permits") {
    json["permits"] = workload.permits;
  }
  put(json, "patience", workload.patience);
  if (workload.own_objects) {
    json["objects"] = "thread";
  }
  return json;
}

ScenarioJson expectation_json(const Expectation& expectation) {
  ScenarioJson json{{"letter", expectation.letter}};
  if (!expectation.reasoned.empty()) {
    json["reasoned"] = expectation.reasoned;
  }
  if (!expectation.note.empty()) {
    json["note"] = expectation.note;
  }
  return json;
}

void put_faults(ScenarioJson& json, const char* name, const std::vector<FaultSpec>& faults) {
  for (const FaultSpec& fault : faults) {
    json[name].push_back(fault_json(fault, name == std::string_view("sweep")));
  }
}

}  // namespace

std::string to_json_text(const Scenario& scenario) {
  const Scenario plain;
  ScenarioJson json{{"version", scenario_version}, {"title", scenario.title}, {"about", scenario.about}};
  if (!scenario.source.empty()) {
    json["source"] = scenario.source;
  }
  json["lock"] = scenario.lock;
  if (scenario.any_lock) {
    json["any_lock"] = true;
  }
  json["topology"] = topology_json(scenario.topology);
  json["settings"] = settings_json(scenario.settings);
  json["clients"] = clients_json(scenario.clients);
  json["workload"] = workload_json(scenario.workload);
  put_faults(json, "faults", scenario.faults);
  put_faults(json, "sweep", scenario.sweep);
  if (scenario.seeds != 1) {
    json["seeds"] = scenario.seeds;
  }
  if (scenario.column) {
    json["column"] = *scenario.column;
  }
  if (!scenario.properties.empty()) {
    json["properties"] = scenario.properties;
  }
  if (!same(scenario.time_limit, plain.time_limit)) {
    json["time_limit"] = to_text(scenario.time_limit);
  }
  if (scenario.event_limit != plain.event_limit) {
    json["event_limit"] = scenario.event_limit;
  }
  if (!scenario.expect.letter.empty()) {
    json["expect"] = expectation_json(scenario.expect);
  }
  for (const auto& [lock, expectation] : scenario.expect_for) {
    json["expect_for"][lock] = expectation_json(expectation);
  }
  return json.dump(2, ' ', false, ScenarioJson::error_handler_t::replace) + "\n";
}

}  // namespace holdfast
