#include "harness/mutate/mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "faults/catalog.h"
#include "harness/mutate/lock_watch.h"
#include "harness/run/simulation.h"
#include "harness/text/bad_input.h"
#include "locks/lookup/lookup.h"

namespace holdfast {
namespace {

constexpr char mark_of_mutant = '~';
constexpr std::uint64_t most_events = 20'000;

ScenarioDuration leases(std::int64_t per_mille) {
  return {Duration::zero(), per_mille};
}

// The first client comes alone, so that what it is answered first is what a lock that is free answers; then
// they compete, two of them threads of one process.
Scenario runs_of(std::string_view workload) {
  Scenario scenario;
  scenario.any_lock = true;
  scenario.event_limit = most_events;
  scenario.workload.kind = workload;
  scenario.workload.rounds = 2;
  for (const char* const name : {"c1", "c2", "c3"}) {
    ClientSpec client;
    client.name = name;
    client.threads = scenario.clients.size() == 1 ? 2 : 1;
    client.start = ScenarioDuration{scenario.clients.empty() ? 0ms : 20ms, 0};
    scenario.clients.push_back(client);
  }
  return scenario;
}

FaultSpec at_work(std::string_view id) {
  FaultSpec fault;
  fault.fault = std::string(id);
  fault.on = "c1";
  fault.at.process = "c1";
  fault.at.name = "work";
  return fault;
}

// Only who has a lock that claims it can give up waiting.
bool is_asked_too_much(const Scenario& scenario, const LockEntry& lock) {
  return (scenario.workload.patience && !lock.features.timed) || !why_not_applicable(scenario, lock).empty();
}

// What a lock does when all goes well, when work takes longer than its lease, when a holder dies or sleeps
// over its lease, when somebody gives up waiting, and when it gets no answer.
std::vector<Scenario> runs_to_listen_to() {
  std::vector<Scenario> runs;
  for (const char* const workload : {"cycle", "reentrant", "readers-writers", "permits", "latch"}) {
    runs.push_back(runs_of(workload));
  }
  for (const char* const workload : {"cycle", "readers-writers"}) {
    Scenario slow = runs_of(workload);
    slow.workload.work = leases(1200);
    runs.push_back(slow);
    Scenario dies = runs_of(workload);
    dies.faults.push_back(at_work("crash"));
    runs.push_back(dies);
    Scenario sleeps = runs_of(workload);
    FaultSpec pause = at_work("gc-pause");
    pause.lasts = leases(1500);
    sleeps.faults.push_back(pause);
    runs.push_back(sleeps);
  }
  Scenario impatient = runs_of("cycle");
  impatient.workload.patience = ScenarioDuration{100ms, 0};
  runs.push_back(impatient);
  Scenario unanswered = runs_of("cycle");
  FaultSpec lost = at_work("lost-reply");
  lost.at.name = "acquire";
  unanswered.faults.push_back(lost);
  runs.push_back(unanswered);
  return runs;
}

std::vector<std::string> ids_of(const MutatedEntries& mutants) {
  std::vector<std::string> ids;
  for (const auto& each : mutants) {
    ids.emplace_back(each->entry().id);
  }
  return ids;
}

// What was found of each lock that somebody asked for. Finding is a function of the lock, so that nobody can
// see whether it was done before.
class FoundMutants {
 public:
  const MutatedEntries& of(const LockEntry& lock) const {
    const std::scoped_lock guard(mutex_);
    auto found = by_lock_.find(lock.id);
    if (found == by_lock_.end()) {
      found = by_lock_.emplace(lock.id, find_mutants(lock)).first;
    }
    return found->second;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::string_view, MutatedEntries> by_lock_;
};

}  // namespace

MutatedEntry::MutatedEntry(const LockEntry& lock, std::unique_ptr<Mutation> mutation)
    : mutation_(std::move(mutation)),
      id_(fmt::format("{}{}{}", lock.id, mark_of_mutant, mutation_->words().id)),
      entry_(lock) {
  entry_.id = id_;
  entry_.summary = mutation_->words().sentence;
  entry_.mutation = mutation_.get();
}

MutatedEntries find_mutants(const LockEntry& lock) {
  const LockWatch watch(lock);
  LockEntry watched = lock;
  watched.mutation = &watch;
  {
    Simulation simulation;
    for (const Scenario& scenario : runs_to_listen_to()) {
      if (!is_asked_too_much(scenario, watched)) {
        simulation.run({.scenario = &scenario, .lock = &watched, .placement = std::nullopt});
      }
    }
  }
  MutatedEntries mutants;
  for (std::unique_ptr<Mutation>& mutation : watch.mutations()) {
    mutants.push_back(std::make_unique<MutatedEntry>(lock, std::move(mutation)));
  }
  return mutants;
}

const MutatedEntries& mutants_of(const LockEntry& lock) {
  static const FoundMutants found;
  return found.of(lock);
}

const LockEntry* find_lock_or_mutant(std::string_view id) {
  const std::size_t mark = id.find(mark_of_mutant);
  const LockEntry* const lock = find_lock(id.substr(0, mark));
  if (mark == std::string_view::npos || lock == nullptr) {
    return lock;
  }
  const MutatedEntries& mutants = mutants_of(*lock);
  const auto found =
      std::ranges::find(mutants, id, [](const auto& each) -> std::string_view { return each->entry().id; });
  return found == mutants.end() ? nullptr : &(*found)->entry();
}

const LockEntry& lock_or_mutant_called(const std::string& id) {
  if (const LockEntry* const lock = find_lock_or_mutant(id)) {
    return *lock;
  }
  const std::string correct = id.substr(0, id.find(mark_of_mutant));
  const LockEntry& lock = lock_called(correct);  // throws if that is what is not there
  throw unknown_word("mutant", id, ids_of(mutants_of(lock)), "holdfast mutants --lock " + correct);
}

}  // namespace holdfast
