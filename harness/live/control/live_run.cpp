#include "harness/live/control/live_run.h"

#include <fmt/format.h>
#include <signal.h>

#include <stdexcept>

#include "harness/live/control/live_world.h"
#include "harness/run/recording.h"

namespace holdfast::live {

LiveRun::LiveRun() = default;
LiveRun::~LiveRun() = default;

RunReport LiveRun::run(const LiveRequest& request) {
  if (const std::string reason = why_not_live(request); !reason.empty()) {
    throw LiveError(reason);
  }
  signal(SIGPIPE, SIG_IGN);  // a client that is gone is noticed by its end
  world_ = std::make_unique<LiveWorld>(request);
  try {
    return world_->run();
  } catch (const LiveError&) {
    world_->shut_down();
    throw;
  } catch (const std::runtime_error& problem) {
    world_->shut_down();
    throw LiveError(problem.what());  // a file or a socket that cannot be made
  } catch (...) {
    world_->shut_down();
    throw;
  }
}

bool LiveRun::has_history() const {
  return world_ != nullptr && !world_->history.events().empty();
}

const History& LiveRun::history() const {
  return world_->history;
}

std::vector<ProcessId> LiveRun::processes() const {
  std::vector<ProcessId> result = world_->mirror.clients();
  result.insert(result.end(), world_->mirror.nodes.begin(), world_->mirror.nodes.end());
  result.push_back(world_->mirror.world.storage);
  return result;
}

const std::string& LiveRun::servers() const {
  return world_->servers_text;
}

std::int64_t LiveRun::speed_up() const {
  return world_->scaled.speed_up;
}

std::string why_not_live(const LiveRequest& request) {
  const LockEntry& lock = *request.lock;
  if (!store_called(lock.needs.store).has_servers() && !lock.needs.one_process) {
    return fmt::format("{} cannot be run live: its files are simulated ones.", lock.id);
  }
  if (request.sentinels && make_plan(*request.scenario, lock).servers.replicas == 0) {
    return fmt::format("{} with {} has no replicas, so there is nothing for Sentinels to do.",
                       request.scenario->name, lock.id);
  }
  if (request.endpoints.empty()) {
    return {};
  }
  if (request.sentinels) {
    return "Sentinels are started for servers of our own, not for those of --endpoints.";
  }
  if (request.endpoints.size() != lock.needs.servers) {
    return fmt::format("{} needs {} server{}, and --endpoints names {}.", lock.id, lock.needs.servers,
                       lock.needs.servers == 1 ? "" : "s", request.endpoints.size());
  }
  for (const FaultSpec& fault : faults_of(*request.scenario, request.placement)) {
    if (names_a_store(fault.on)) {
      return fmt::format("{} strikes a server ({}), and holdfast lays no hand on servers of yours.",
                         request.scenario->name, fault.fault);
    }
  }
  if (lock.needs.replicas > 0) {
    return fmt::format("{} needs replicas, which --endpoints cannot name.", lock.id);
  }
  return {};
}

}  // namespace holdfast::live
