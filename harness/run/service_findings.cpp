#include "harness/run/service_findings.h"

#include "harness/run/nested_holds.h"
#include "harness/run/plan.h"

#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace holdfast {
namespace {

linear::AnyModel model_of(const LockEntry& lock, const Scenario& scenario) {
  switch (lock.kind) {
    case LockKind::read_write:
      return linear::ReadWriteLock{};
    case LockKind::semaphore: {
      linear::Semaphore semaphore;
      semaphore.permits = static_cast<std::uint32_t>(scenario.permits());
      return semaphore;
    }
    case LockKind::latch: {
      linear::Latch latch;
      latch.count = static_cast<std::uint32_t>(scenario.latch_count());
      return latch;
    }
    case LockKind::mutex:
      break;
  }
  if (lock.features.reentrant) {
    return lock.features.token ? linear::AnyModel(linear::ReentrantFencedMutex{})
                               : linear::AnyModel(linear::ReentrantMutex{});
  }
  return lock.features.token ? linear::AnyModel(linear::FencedMutex{})
                             : linear::AnyModel(linear::OwnerMutex{});
}

std::optional<Action> action_of(Operation operation) {
  switch (operation) {
    case Operation::acquire:
      return Action::acquire;
    case Operation::release:
      return Action::release;
    case Operation::count_down:
      return Action::count_down;
    case Operation::await_zero:
      return Action::await_zero;
    default:
      return std::nullopt;
  }
}

std::optional<CallEventType> type_of(EventType type) {
  switch (type) {
    case EventType::invoke:
      return CallEventType::invoke;
    case EventType::ok:
      return CallEventType::ok;
    case EventType::fail:
      return CallEventType::fail;
    case EventType::info:
      return CallEventType::info;
    case EventType::died:
    case EventType::lost_hold:
      return CallEventType::ended;
    case EventType::applied:
      return CallEventType::asked;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::vector<CallEvent> calls_of(const History& history, HistorySummary& names) {
  std::map<std::pair<ProcessId, std::uint32_t>, ClientNumber> clients;
  std::vector<CallEvent> calls;
  for (const Event& event : history.events()) {
    const std::optional<CallEventType> type = type_of(event.type);
    const std::optional<Action> action = action_of(event.operation);
    if (!type || (!action && *type != CallEventType::ended && *type != CallEventType::asked)) {
      continue;
    }
    CallEvent call;
    call.type = *type;
    call.action = action.value_or(Action::acquire);
    call.mode = event.mode;
    call.token = event.token;
    call.time = event.true_time.count();
    if (*type == CallEventType::asked && !clients.contains({event.process, event.thread})) {
      continue;
    }
    if (*type != CallEventType::ended) {
      const auto [found, is_new] = clients.emplace(std::pair(event.process, event.thread),
                                                   static_cast<ClientNumber>(names.client_names.size()));
      if (is_new) {
        names.client_names.push_back(history.thread_name(event));
      }
      call.client = found->second;
      calls.push_back(call);
      continue;
    }
    const bool whole_process = event.thread == 0;
    for (auto each = clients.lower_bound({event.process, event.thread});
         each != clients.end() && each->first.first == event.process &&
         (whole_process || each->first.second == event.thread);) {
      call.client = each->second;
      calls.push_back(call);
      // Whoever comes back after a crash is another client.
      each = event.type == EventType::died ? clients.erase(each) : std::next(each);
    }
  }
  return calls;
}

std::vector<linear::Finding> service_findings(const History& history, const LockEntry& lock,
                                              const Scenario& scenario) {
  linear::CheckOptions options;
  options.model = model_of(lock, scenario);
  HistorySummary names;
  names.key_names.emplace_back("lock");
  std::vector<CallEvent> calls = calls_of(history, names);
  if (lock.features.reentrant && (lock.kind == LockKind::read_write || lock.features.token)) {
    // Its model knows no re-entry, or none that raises the token.
    calls = with_nested_holds_as_one(calls);
  }
  if (!lock.features.reentrant && lock.ttl > Duration::zero() && lock.kind == LockKind::mutex) {
    calls = with_expired_holds_ended(calls, ttl_of(scenario, lock));
  }
  const auto result = linear::check_events(calls, options, names);
  if (const auto* problem = std::get_if<std::string>(&result)) {
    throw std::logic_error("a run's history does not fit together: " + *problem);
  }
  const auto* report = std::get_if<linear::CheckReport>(&result);
  if (report->keys.empty()) {
    return {};
  }
  std::vector<linear::Finding> told;
  for (linear::Finding& finding : linear::findings(*report, report->keys.front())) {
    if (finding.about != "belief" && finding.about != "tokens" && finding.about != "fairness") {
      told.push_back(std::move(finding));
    }
  }
  return told;
}

}  // namespace holdfast
