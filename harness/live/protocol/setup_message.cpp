#include "harness/live/protocol/setup_message.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/machine/process/live_error.h"

namespace holdfast::live {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const LockSettings& settings) {
  return {{"key", settings.key},
          {"ttl", settings.ttl.count()},
          {"retry_interval", settings.retry_interval.count()},
          {"retry_jitter", settings.retry_jitter.count()},
          {"patience", settings.patience.count()},
          {"permits", settings.permits},
          {"count", settings.count},
          {"wait_replicas", settings.wait_replicas}};
}

LockSettings settings_from(const Json& json) {
  LockSettings settings;
  settings.key = json.at("key").get<std::string>();
  settings.ttl = Duration(json.at("ttl").get<std::int64_t>());
  settings.retry_interval = Duration(json.at("retry_interval").get<std::int64_t>());
  settings.retry_jitter = Duration(json.at("retry_jitter").get<std::int64_t>());
  settings.patience = Duration(json.at("patience").get<std::int64_t>());
  settings.permits = json.at("permits").get<std::int64_t>();
  settings.count = json.at("count").get<std::int64_t>();
  settings.wait_replicas = json.at("wait_replicas").get<std::int64_t>();
  return settings;
}

Json to_json(const ThreadSetup& thread) {
  const WorkPlan& plan = thread.plan;
  Json json{{"workload", to_text(plan.kind)}, {"client", plan.client},
            {"clients", plan.clients},        {"role", plan.role},
            {"rounds", plan.rounds},          {"start", plan.start.count()},
            {"work", plan.work.count()},      {"pause", plan.pause.count()},
            {"ttl", plan.ttl.count()},        {"poll", plan.poll.count()},
            {"reentrant", plan.reentrant},    {"latch_count", plan.latch_count},
            {"own_object", plan.own_object}};
  if (plan.patience) {
    json["patience"] = plan.patience->count();
  }
  json["servers"] = Json::array();
  for (const Endpoint& server : thread.servers) {
    json["servers"].push_back(to_text(server));
  }
  json["storage"] = to_text(thread.storage);
  return json;
}

// A "cycle" of the plan is what the kind of lock makes of it already; a mutex leaves every name as it is.
WorkloadKind workload_from(const std::string& name) {
  return workload_for(name, LockKind::mutex);
}

ThreadSetup thread_from(const Json& json) {
  ThreadSetup thread;
  WorkPlan& plan = thread.plan;
  plan.kind = workload_from(json.at("workload").get<std::string>());
  plan.client = json.at("client").get<std::size_t>();
  plan.clients = json.at("clients").get<std::size_t>();
  plan.role = json.at("role").get<std::string>();
  plan.rounds = json.at("rounds").get<std::uint32_t>();
  plan.start = Duration(json.at("start").get<std::int64_t>());
  plan.work = Duration(json.at("work").get<std::int64_t>());
  plan.pause = Duration(json.at("pause").get<std::int64_t>());
  plan.ttl = Duration(json.at("ttl").get<std::int64_t>());
  plan.poll = Duration(json.at("poll").get<std::int64_t>());
  plan.reentrant = json.at("reentrant").get<bool>();
  plan.latch_count = json.at("latch_count").get<std::int64_t>();
  plan.own_object = json.at("own_object").get<bool>();
  if (const auto patience = json.find("patience"); patience != json.end()) {
    plan.patience = Duration(patience->get<std::int64_t>());
  }
  for (const Json& server : json.at("servers")) {
    thread.servers.push_back(endpoint_from(server.get<std::string>()));
  }
  thread.storage = endpoint_from(json.at("storage").get<std::string>());
  return thread;
}

}  // namespace

Json to_json(const SetupMessage& setup) {
  Json json{{"type", "setup"},
            {"version", protocol_version},
            {"process", setup.process},
            {"seed", setup.seed},
            {"first_number", setup.first_number},
            {"lock", setup.lock},
            {"settings", to_json(setup.settings)},
            {"command_timeout", setup.command_timeout.count()},
            {"steps", setup.reports_steps},
            {"files", setup.files}};
  json["threads"] = Json::array();
  for (const ThreadSetup& thread : setup.threads) {
    json["threads"].push_back(to_json(thread));
  }
  return json;
}

SetupMessage setup_message(const Json& json) {
  try {
    if (json.at("type") != "setup" || json.at("version") != protocol_version) {
      throw LiveError(fmt::format("a live client wants a setup of version {} first.", protocol_version));
    }
    SetupMessage setup;
    setup.process = json.at("process").get<std::string>();
    setup.seed = json.at("seed").get<std::uint64_t>();
    setup.first_number = json.at("first_number").get<std::uint32_t>();
    setup.lock = json.at("lock").get<std::string>();
    setup.settings = settings_from(json.at("settings"));
    setup.command_timeout = Duration(json.at("command_timeout").get<std::int64_t>());
    setup.reports_steps = json.at("steps").get<bool>();
    setup.files = json.at("files").get<std::string>();
    for (const Json& thread : json.at("threads")) {
      setup.threads.push_back(thread_from(thread));
    }
    return setup;
  } catch (const Json::exception& problem) {
    throw LiveError(fmt::format("the setup of a live client is not as PROTOCOL.md says: {}", problem.what()));
  } catch (const std::logic_error& problem) {
    throw LiveError(fmt::format("the setup of a live client is not as PROTOCOL.md says: {}", problem.what()));
  }
}

}  // namespace holdfast::live
