#include "harness/live/control/scaled.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "faults/catalog.h"

namespace holdfast::live {
namespace {

// A real machine is not always there within a few milliseconds.
constexpr Duration least_command_timeout = 100ms;
constexpr Duration least_gap = 5ms;
// The usual limit leaves a minute for whatever may come; live, two seconds are enough.
constexpr Duration time_to_spare = 2s;

class Scaler {
 public:
  explicit Scaler(std::int64_t speed_up) : speed_up_(speed_up) {}

  void apply(ScenarioDuration& duration) const { duration.fixed /= speed_up_; }
  void apply(std::optional<ScenarioDuration>& duration) const {
    if (duration) {
      apply(*duration);
    }
  }
  void apply(StepSelector& selector) const { apply(selector.time); }
  void apply(FaultSpec& fault) const {
    apply(fault.at);
    if (fault.until) {
      apply(*fault.until);
    }
    apply(fault.lasts);
    for (const Option& option : options_of(fault)) {
      if (is_duration(option.kind)) {
        ScenarioDuration duration = fault.options.duration(option);
        apply(duration);
        fault.options.set(option, duration);
      }
    }
  }

 private:
  std::int64_t speed_up_;
};

// Who starts after another still does when offsets shrink to less than a scheduler keeps to.
void keep_apart(std::vector<ClientPlan>& clients) {
  std::vector<WorkPlan*> in_order;
  for (ClientPlan& client : clients) {
    for (WorkPlan& thread : client.threads) {
      in_order.push_back(&thread);
    }
  }
  std::stable_sort(in_order.begin(), in_order.end(),
                   [](const WorkPlan* one, const WorkPlan* other) { return one->start < other->start; });
  Duration original{0};
  Duration kept{0};
  for (WorkPlan* thread : in_order) {
    const Duration gap = thread->start - std::exchange(original, thread->start);
    kept = gap > Duration::zero() ? std::max(thread->start, kept + least_gap) : kept;
    thread->start = kept;
  }
}

std::int64_t possible_speed_up(const RunPlan& plan, const LockEntry& lock, std::int64_t wanted) {
  const Duration least = lock.needs.least_ttl;
  const std::int64_t most = least > Duration::zero() ? plan.ttl / least : wanted;
  return std::max<std::int64_t>(1, std::min(wanted, most));
}

// A message that was too late for its client still is, where clients wait longer than the pace would have it.
void keep_past_the_timeout(std::vector<FaultSpec>& faults, Duration original_timeout, const Scaled& scaled) {
  const Duration timeout = original_timeout / scaled.speed_up;
  for (FaultSpec& fault : faults) {
    if (fault.fault != "delay") {
      continue;
    }
    const Option& by = *std::ranges::find(options_of(fault), "by", &Option::name);
    const Duration late = fault.options.duration(by).resolve(scaled.plan.ttl);
    if (late > timeout && late <= scaled.plan.command_timeout) {
      fault.options.set(by, ScenarioDuration{late - timeout + scaled.plan.command_timeout, 0});
    }
  }
}

}  // namespace

Scaled scale(const Scenario& scenario, const LockEntry& lock, std::int64_t speed_up) {
  const RunPlan original = make_plan(scenario, lock);
  Scaled result{scenario, {}, possible_speed_up(original, lock, speed_up)};
  const Scaler scaler(result.speed_up);
  Scenario& scaled = result.scenario;
  for (ClientSpec& client : scaled.clients) {
    scaler.apply(client.start);
    scaler.apply(client.work);
  }
  scaler.apply(scaled.workload.work);
  scaler.apply(scaled.workload.pause);
  scaler.apply(scaled.workload.patience);
  scaled.settings.ttl = ScenarioDuration{original.ttl / result.speed_up, 0};
  scaled.settings.retry_interval = ScenarioDuration{original.settings.retry_interval / result.speed_up, 0};
  scaled.settings.retry_jitter = ScenarioDuration{original.settings.retry_jitter / result.speed_up, 0};
  scaler.apply(scaled.settings.command_timeout);
  for (FaultSpec& fault : scaled.faults) {
    scaler.apply(fault);
  }
  for (FaultSpec& fault : scaled.sweep) {
    scaler.apply(fault);
  }
  if (scaled.time_limit.fixed == Scenario{}.time_limit.fixed) {
    scaled.time_limit.fixed = time_to_spare;
  } else {
    scaler.apply(scaled.time_limit);
  }

  RunPlan& plan = result.plan;
  plan = make_plan(scaled, lock);
  for (ClientPlan& client : plan.clients) {
    for (WorkPlan& thread : client.threads) {
      thread.poll /= result.speed_up;
    }
  }
  keep_apart(plan.clients);
  plan.settings.patience = original.settings.patience / result.speed_up;
  plan.command_timeout = std::max(plan.command_timeout, least_command_timeout);
  keep_past_the_timeout(scaled.faults, original.command_timeout, result);
  keep_past_the_timeout(scaled.sweep, original.command_timeout, result);
  plan.context.grace = grace_of(plan.settings, plan.command_timeout);
  return result;
}

}  // namespace holdfast::live
