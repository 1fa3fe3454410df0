#include "harness/live/control/live_run.h"

#include <fmt/format.h>
#include <signal.h>

#include <stdexcept>

#include "faults/catalog.h"
#include "harness/live/control/live_world.h"
#include "harness/live/control/pace.h"
#include "harness/run/recording.h"
#include "harness/stores/store.h"

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

const std::string& LiveRun::why_slower() const {
  return world_->pace.why_slower;
}

namespace {

// What the mirror of a run would tell as struck, and nobody would do to the real servers and connections.
std::string why_not_struck_live(const FaultSpec& fault) {
  const FaultEntry& entry = *find_fault(fault.fault);
  if (!entry.store.empty()) {
    return fmt::format(
        "{} is a fault of {}'s own, which holdfast cannot bring upon real servers in real time.", fault.fault,
        entry.store);
  }
  // Whatever a client tells of a call, its connection is not among it: the doors see that, also of a request
  // that is about to come.
  const bool is_seen_by_door = fault.at.phase == Phase::sending || fault.at.phase == Phase::arrived ||
                               fault.at.phase == Phase::applied || names_a_store(fault.at.process) ||
                               fault.at.process == "storage";
  for (const Option& option : entry.options) {
    if (option.needs_a_call && !fault.options.is_usual(option) && !is_seen_by_door) {
      return fmt::format(
          "{} with \"{}\": \"{}\" needs the phase sending, arrived or applied in a live run, for only there "
          "is "
          "known which connection the call is on.",
          fault.fault, option.name, fault.options.word(option));
    }
  }
  return {};
}

}  // namespace

std::string why_not_live(const LiveRequest& request) {
  const LockEntry& lock = *request.lock;
  const Store& store = store_called(lock.needs.store);
  if (!store.has_servers() && !lock.needs.one_process) {
    return fmt::format("{} cannot be run live: its files are simulated ones.", lock.id);
  }
  const std::vector<FaultSpec> faults = faults_of(*request.scenario, request.placement);
  for (const FaultSpec& fault : faults) {
    if (std::string reason = why_not_struck_live(fault); !reason.empty()) {
      return reason;
    }
  }
  if (store.has_servers() && store.program_names().empty()) {
    return fmt::format("{} cannot be run live: there is no real {} to start.", lock.id, store.title());
  }
  if (request.own_failover && make_plan(*request.scenario, lock).servers.replicas == 0) {
    return fmt::format("{} with {} has no replicas, so there is nothing to fail over to.",
                       request.scenario->name, lock.id);
  }
  if (request.own_failover && store.own_failover().empty()) {
    return fmt::format("{} has nothing that does a failover by itself.", store.title());
  }
  if (request.speed_up) {
    if (const std::string why = why_not_divided(request, *request.speed_up); !why.empty()) {
      return fmt::format("{} cannot be run {} times faster than it is told: {}.", request.scenario->name,
                         *request.speed_up, why);
    }
  }
  if (request.endpoints.empty()) {
    return {};
  }
  if (request.own_failover) {
    return fmt::format("{} are started for servers of our own, not for those of --endpoints.",
                       store.own_failover());
  }
  if (request.endpoints.size() != lock.needs.servers) {
    return fmt::format("{} needs {} server{}, and --endpoints names {}.", lock.id, lock.needs.servers,
                       lock.needs.servers == 1 ? "" : "s", request.endpoints.size());
  }
  if (!store.can_be_attached()) {
    return fmt::format(
        "{} cannot be run with servers of yours: holdfast does not know how to leave them as "
        "they were.",
        store.title());
  }
  for (const FaultSpec& fault : faults) {
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
