#include "harness/live/control/pace.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "harness/live/control/scaled.h"
#include "harness/text/duration_text.h"

namespace holdfast::live {
namespace {

constexpr std::int64_t usual_speed_up = 20;

RunReport run_of(Simulation& simulation, const LiveRequest& request, const Scenario& scenario,
                 const RunPlan* plan) {
  RunRequest run{
      .scenario = &scenario, .lock = request.lock, .seed = request.seed, .placement = request.placement};
  run.plan = plan;
  return simulation.run(run);
}

// Without faults, for a clock that jumps makes other leases of those that are told as moments. In order.
std::vector<Duration> leases_in(Simulation& simulation, const LiveRequest& request, Scenario scenario,
                                const RunPlan* plan) {
  scenario.faults.clear();
  LiveRequest quiet = request;
  quiet.placement.reset();
  run_of(simulation, quiet, scenario, plan);
  std::vector<Duration> leases = simulation.leases();
  std::erase_if(leases, [](Duration lease) { return lease <= Duration::zero(); });
  std::ranges::sort(leases);
  return leases;
}

bool is_about(Duration one, Duration other) {
  constexpr Duration slack = 2ms;  // a server counts milliseconds
  return std::chrono::abs(one - other) <= std::max(slack, other / 10);
}

// One that was asked for in both runs, and that no other is a part of; or one that is longer than all parts.
std::optional<Duration> undivided(const std::vector<Duration>& whole, const std::vector<Duration>& divided,
                                  std::int64_t speed_up) {
  const Duration longest = whole.empty() ? Duration::zero() : whole.back() / speed_up;
  for (const Duration lease : divided) {
    const bool is_in_both =
        std::ranges::binary_search(whole, lease) &&
        std::ranges::none_of(divided, [&](Duration other) { return is_about(other, lease / speed_up); });
    if (is_in_both || (lease > longest && !is_about(lease, longest))) {
      return lease;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string why_not_divided(const LiveRequest& request, std::int64_t speed_up) {
  Scaled scaled = scale(*request.scenario, *request.lock, speed_up);
  if (scaled.speed_up == 1) {
    return {};
  }
  // On one machine messages are that much faster, too.
  Latency& latency = scaled.scenario.topology.latency;
  latency.least /= scaled.speed_up;
  latency.jitter_step /= scaled.speed_up;

  Simulation simulation;
  const std::optional<Duration> lease =
      undivided(leases_in(simulation, request, *request.scenario, nullptr),
                leases_in(simulation, request, scaled.scenario, &scaled.plan), scaled.speed_up);
  if (lease) {
    return fmt::format("{} asks for a lease of {}, whatever its settings say", request.lock->id,
                       holdfast::to_text(*lease));
  }
  const Letter whole = run_of(simulation, request, *request.scenario, nullptr).told_letter();
  const Letter divided = run_of(simulation, request, scaled.scenario, &scaled.plan).told_letter();
  if (whole != divided) {
    return fmt::format("with all durations divided by {} it would be {} instead of {}, says sim",
                       scaled.speed_up, to_text(divided), to_text(whole));
  }
  return {};
}

Pace pace_of(const LiveRequest& request) {
  if (request.speed_up) {
    return {*request.speed_up, {}};
  }
  if (request.own_failover) {
    return {1, {}};  // it takes a second or two, which a lease has to outlast
  }
  std::string why = why_not_divided(request, usual_speed_up);
  return {why.empty() ? usual_speed_up : 1, std::move(why)};
}

}  // namespace holdfast::live
