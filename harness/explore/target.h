// What is explored: a lock in a scenario, with a menu of faults.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/explore/strategies/explorer.h"
#include "harness/run/simulation.h"

namespace holdfast {

struct TargetOptions {
  std::uint32_t clients = 3;
  std::uint32_t rounds = 1;
  std::uint32_t most_faults = 2;
  bool fixed_latency = false;  // for strategies that try every answer to every choice
  bool draws_shapes = false;   // of a family: strategies choose the shape of each run
  std::string shape = {};      // of a family: all runs are in this one
};

struct ExploreTarget {
  const LockEntry* lock = nullptr;
  Scenario scenario;  // without a sweep of its own
  Scope scope;
  std::vector<Scenario> shapes = {};  // the same in other shapes, which strategies may choose

  std::size_t shape_count() const { return 1 + shapes.size(); }
  // By number: 0 is the scenario itself.
  const Scenario& in_shape(std::size_t number) const { return number == 0 ? scenario : shapes[number - 1]; }
  // By the name of a shape, as findings have it.
  const Scenario& in_shape(const std::string& id) const;
};

// `scenario` as it is, with its sweep for a menu if it has one, else with `menu`.
ExploreTarget make_target(const LockEntry& lock, const Scenario& scenario, const std::vector<FaultSpec>& menu,
                          const TargetOptions& options);

// All faults that the families try, each once.
std::vector<FaultSpec> menu_of(const std::vector<Scenario>& families);

// A run without faults: how much there is to ask.
ExploreProbe probe(Simulation& simulation, const ExploreTarget& target, std::uint64_t seed);

// What struck in a run of the target, as faults of a scenario of their own.
std::vector<FaultSpec> as_planned(const ExploreTarget& target, const std::vector<InjectedFault>& injected,
                                  const Kernel& kernel);

}  // namespace holdfast
