// For tests: a target with two or three clients, and a menu of a few faults.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/explore/campaign.h"
#include "locks/lookup/lookup.h"

namespace holdfast {

inline FaultSpec menu_fault(std::string id, std::string on,
                            std::optional<ScenarioDuration> lasts = std::nullopt) {
  FaultSpec fault;
  fault.fault = std::move(id);
  fault.on = std::move(on);
  fault.lasts = lasts;
  return fault;
}

inline ExploreTarget small_target(std::string_view lock, std::uint32_t faults = 1,
                                  std::uint32_t clients = 2) {
  Scenario scenario;
  scenario.name = "small";
  scenario.any_lock = true;
  scenario.column = 1;
  scenario.event_limit = 30'000;
  scenario.clients.resize(1);
  scenario.clients.front().name = "c1";
  return make_target(*find_lock(lock), scenario,
                     {menu_fault("gc-pause", "clients", ScenarioDuration{0s, 1500}),
                      menu_fault("crash", "clients"), menu_fault("lost-reply", "clients")},
                     {.clients = clients, .rounds = 1, .most_faults = faults, .fixed_latency = true});
}

inline PieceResult explore(const ExploreTarget& target, std::string_view strategy, std::uint64_t runs,
                           std::uint64_t first = 0) {
  Simulation simulation;
  return explore_piece(simulation, {.target = &target,
                                    .explorer = find_explorer(strategy),
                                    .seed = 1,
                                    .first = first,
                                    .count = runs,
                                    .stop_at_first = false,
                                    .is_time_up = {}});
}

inline std::uint64_t runs_with(const PieceResult& result, Letter letter) {
  return result.runs_by_letter[static_cast<std::size_t>(letter)];
}

}  // namespace holdfast
