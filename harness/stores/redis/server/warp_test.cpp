// The same seed gives the same run in `sim` and in `warp`, for every lock that lives on Redis servers.
//
// HOLDFAST_WARP_SEEDS chooses how many seeds each lock is tried with.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>

#include "faults/catalog.h"
#include "harness/kernel/test_volume.h"
#include "harness/run/simulation.h"
#include "harness/run/test_scenario.h"
#include "harness/stores/redis/server/real_nodes.h"
#include "harness/stores/redis/test_topology.h"
#include "locks/catalog.h"
#include "locks/lookup/lookup.h"

namespace holdfast {
namespace warp_test {

std::uint64_t seeds() {
  return how_many({.usual = 60, .thorough = 200, .sanitized = 5}, "HOLDFAST_WARP_SEEDS");
}

// One fault of any kind at any early step, in a workload that the lock can do.
Scenario scenario_of(std::uint64_t seed, const LockEntry& lock) {
  constexpr const char* workloads[] = {"cycle", "twice", "foreign"};
  Scenario scenario = plain_scenario(workloads[seed % 7 == 0 ? 1 : seed % 11 == 0 ? 2 : 0]);
  if (!why_not_applicable(scenario, lock).empty()) {
    scenario.workload.kind = "cycle";
  }
  // A replica has to be synchronised anew whenever a run ended with another primary: that takes time.
  const bool replicated = seed % 20 == 0;
  redis::set_replicas(scenario.topology, replicated ? 1 : 0);
  redis::set_append_only(scenario.topology, static_cast<redis::AppendOnly>(replicated ? 0 : seed % 3));
  const auto faults = all_faults();
  std::size_t kind = seed % faults.size();
  if (faults[kind].id == "failover" && !replicated) {
    kind = (kind + 1) % faults.size();
  }
  const std::string server = lock.needs.servers > 1 ? "redis-1" : "redis";
  FaultSpec fault = some_fault(faults[kind].id, seed % 2 == 0 ? "c1" : server);
  fault.at.ordinal = static_cast<std::uint32_t>(1 + seed * 7 % 23);
  scenario.faults = {fault};
  return scenario;
}

std::vector<const LockEntry*> locks_on_redis() {
  std::vector<const LockEntry*> result;
  std::ranges::copy_if(every_lock(), std::back_inserter(result),
                       [](const LockEntry* lock) { return lock->needs.servers > 0; });
  return result;
}

// Real servers take a moment to start, so that all locks share them.
RealServerSet& servers() {
  static RealServerSet factory;
  return factory;
}

// What happened, and what servers executed.
std::vector<std::string> story_of(Simulation& simulation, const RunRequest& request) {
  simulation.run(request);
  std::vector<std::string> lines;
  for (const Event& event : simulation.history().events()) {
    lines.push_back(to_json_line(event, simulation.history()));
  }
  return lines;
}

std::string first_difference(const std::vector<std::string>& of_sim,
                             const std::vector<std::string>& of_warp) {
  const auto [sim, warp] = std::ranges::mismatch(of_sim, of_warp);
  if (sim == of_sim.end() && warp == of_warp.end()) {
    return {};
  }
  return "sim: " + (sim == of_sim.end() ? "ends" : *sim) +
         "\nwarp: " + (warp == of_warp.end() ? "ends" : *warp);
}

class InWarp : public testing::TestWithParam<const LockEntry*> {};

TEST_P(InWarp, EveryRunIsAsInSim) {
  Simulation sim;
  Simulation warp(&servers());
  const std::uint64_t steps_before = servers().steps();
  for (std::uint64_t seed = 1; seed <= seeds(); ++seed) {
    const Scenario scenario = scenario_of(seed, *GetParam());
    RunRequest request{.scenario = &scenario, .lock = GetParam(), .seed = seed, .placement = {}};
    request.details = true;
    request.follows = false;  // as far as its limits the two are compared
    EXPECT_EQ(first_difference(story_of(sim, request), story_of(warp, request)), "")
        << "seed " << seed << ", " << scenario.faults[0].fault << " on " << scenario.faults[0].on
        << ", append-only "
        << static_cast<int>(redis::topology_of({.options = scenario.topology.of("redis")}).append_only);
    if (HasFailure()) {
      return;
    }
  }
  std::printf("%s: %llu runs agree, %llu commands\n", std::string(GetParam()->id).c_str(),
              static_cast<unsigned long long>(seeds()),
              static_cast<unsigned long long>(servers().steps() - steps_before));
}

// Each message of the first calls lost, late or torn away, at each phase, and threads that die there.
TEST_P(InWarp, EveryFaultOfAMessageIsAsInSim) {
  Simulation sim;
  Simulation warp(&servers());
  for (const char* const id : {"lost-request", "reset", "lost-reply", "delay", "thread-crash"}) {
    for (const Phase phase : {Phase::sending, Phase::arrived, Phase::applied}) {
      for (std::uint32_t nth = 1; nth <= 3; ++nth) {
        Scenario scenario = plain_scenario();
        FaultSpec fault = some_fault(id, "c1");
        fault.at.phase = phase;
        fault.at.nth = nth;
        if (find_fault(id)->lasting == Lasting::unless_a_message) {
          fault.lasts.reset();
          set_option(fault, "by", ScenarioDuration{1100ms, 0});
        } else if (fault.fault == "reset" && nth == 2) {
          set_option(fault, "connections", "call");
        }
        scenario.faults = {fault};
        RunRequest request{.scenario = &scenario, .lock = GetParam(), .seed = nth, .placement = {}};
        request.details = true;
        request.follows = false;  // as far as its limits the two are compared
        ASSERT_EQ(first_difference(story_of(sim, request), story_of(warp, request)), "")
            << id << " at " << to_text(phase) << " number " << nth;
      }
    }
  }
}

// The third node is the second replica of one server first, then the primary of the second server.
TEST(WarpTopology, AReplicaOfOneRunIsAPrimaryOfTheNext) {
  Simulation sim;
  RealServerSet real;
  Simulation warp(&real);
  for (const auto& [lock, replicas] : {std::pair("redis-px-cad", 2U), std::pair("redlock", 1U)}) {
    Scenario scenario = plain_scenario();
    redis::set_replicas(scenario.topology, replicas);
    RunRequest request{.scenario = &scenario, .lock = find_lock(lock), .seed = 1, .placement = {}};
    request.details = true;
    request.follows = false;  // as far as its limits the two are compared
    EXPECT_EQ(first_difference(story_of(sim, request), story_of(warp, request)), "") << lock;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryLock, InWarp, testing::ValuesIn(locks_on_redis()),
                         [](const auto& tested) { return test_name(tested.param->id); });

}  // namespace warp_test
}  // namespace holdfast
