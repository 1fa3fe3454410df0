// Every lock under every fault, at a handful of places, alone and two at a time: whatever the lock does,
// the harness survives it (under the sanitizers too), the fault strikes where it was put, and the run can be
// had again.
#include <gtest/gtest.h>

#include "faults/catalog.h"
#include "harness/kernel/fingerprint.h"
#include "harness/run/test_scenario.h"
#include "locks/lookup/lookup.h"

namespace holdfast {
namespace {

struct Place {
  std::string process;
  std::uint32_t ordinal = 0;
  Phase phase = Phase::point;
};

class Places final : public StepObserver {
 public:
  explicit Places(const Simulation& simulation) : simulation_(simulation) {}
  void on_step(const Step& step) override {
    clients.push_back({simulation_.kernel().process(step.client).name, step.client_ordinal, step.phase});
    if (step.server_ordinal != 0 && simulation_.kernel().process(step.server).name != "storage") {
      servers.push_back({simulation_.kernel().process(step.server).name, step.server_ordinal, step.phase});
    }
  }
  std::vector<Place> clients;
  std::vector<Place> servers;

 private:
  const Simulation& simulation_;
};

class Smoke : public ::testing::TestWithParam<const LockEntry*> {
 protected:
  Smoke() {
    request.lock = GetParam();
    request.scenario = &scenario;
    request.step_observer = &places;
    simulation.run(request);
    request.step_observer = nullptr;
  }
  // Where the fault can strike; empty if the lock has no such process.
  std::vector<Place> places_for(const FaultEntry& entry) const {
    std::vector<Place> where = entry.strikes_clients ? places.clients : places.servers;
    std::erase_if(where, [&](const Place& place) {
      Step step;
      step.phase = place.phase;
      return !finds_something(entry, step.client, step);
    });
    return where;
  }
  static FaultSpec at(const FaultEntry& entry, const Place& place) {
    FaultSpec fault = some_fault(entry.id, place.process);
    fault.at.ordinal = place.ordinal;
    return fault;
  }

  Scenario scenario = plain_scenario();
  Simulation simulation;
  Places places{simulation};
  RunRequest request;
};

TEST_P(Smoke, EveryFaultAtAHandfulOfPlaces) {
  for (const FaultEntry& entry : all_faults()) {
    const std::vector<Place> where = places_for(entry);
    for (std::size_t number = 0; number < 5 && !where.empty(); ++number) {
      const Place& place = where[number * (where.size() - 1) / 4];
      scenario.faults = {at(entry, place)};
      const RunReport report = simulation.run(request);
      EXPECT_TRUE(report.faults_not_struck.empty())
          << entry.id << " at " << place.process << ":" << place.ordinal;
    }
  }
}

TEST_P(Smoke, TwoFaultsAtOnceAndTheSameRunAgain) {
  const std::span<const FaultEntry> faults = all_faults();
  for (std::uint64_t round = 0; round < 40; ++round) {
    scenario.faults.clear();
    std::string what;
    for (std::uint64_t number = 0; number < 2; ++number) {
      const std::uint64_t draw = mix(round * 2 + number + 1);
      const FaultEntry& entry = faults[draw % faults.size()];
      const std::vector<Place> where = places_for(entry);
      if (!where.empty()) {
        const Place& place = where[(draw >> 8) % where.size()];
        scenario.faults.push_back(at(entry, place));
        what += std::string(entry.id) + " at " + place.process + ":" + std::to_string(place.ordinal) + " ";
      }
    }
    const std::uint64_t first = simulation.run(request).fingerprint;
    EXPECT_EQ(simulation.run(request).fingerprint, first) << what;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryLock, Smoke, ::testing::ValuesIn(every_lock()),
                         [](const auto& tested) { return test_name(tested.param->id); });

}  // namespace
}  // namespace holdfast
