#include "harness/explore/shrink.h"

#include <algorithm>
#include <functional>

#include "faults/catalog.h"
#include "harness/explore/shrink_option.h"
#include "harness/explore/shrink_steps.h"
#include "harness/explore/shrink_work.h"
#include "harness/explore/shrunk_run.h"
#include "harness/run/plan.h"
#include "harness/scenario/file/save.h"
#include "harness/stores/store.h"

namespace holdfast {
namespace {

constexpr std::uint64_t most_runs = 4000;

class Shrinker {
 public:
  Shrinker(Simulation& simulation, const ExploreTarget& target, const ExploreFinding& finding)
      : simulation_(simulation), target_(target), letter_(finding.letter) {
    best_.scenario = target.in_shape(finding.shape);
    best_.scenario.faults.insert(best_.scenario.faults.end(), finding.faults.begin(), finding.faults.end());
    best_.choices = finding.choices;
    best_.reorders = finding.reordered;
    best_.letter = finding.letter;
  }

  bool shrink() {
    forget_what_never_struck();
    if (!breaks(best_)) {
      return false;
    }
    std::string before;
    do {
      before = text_of(best_);
      without_choices();
      without_faults();
      without_clients();
      simpler_world();
      simpler_work();
      fewer_questions();
      less_of_each_fault();
      fewer_choices();
    } while (before != text_of(best_));
    name_places();
    shorter_run();
    finish();
    return true;
  }

  ShrunkFinding take() { return std::move(best_); }

 private:
  RunReport run(const ShrunkFinding& candidate, StepObserver* observer) {
    ++runs_;
    ShrunkRun shrunk(candidate, *target_.lock);
    RunRequest request = shrunk.request();
    request.step_observer = observer;
    return simulation_.run(request);
  }

  static std::string text_of(const ShrunkFinding& finding) {
    const auto matters = [](const LoggedChoice& choice) { return choice.picked != 0; };
    return to_json_text(finding.scenario) + std::to_string(std::ranges::count_if(finding.choices, matters));
  }

  // Of the faults that the scenario had by itself: what struck may have ended who they were meant for.
  void forget_what_never_struck() {
    const RunReport report = run(best_, nullptr);
    for (auto index = report.faults_not_struck.rbegin(); index != report.faults_not_struck.rend(); ++index) {
      best_.scenario.faults.erase(best_.scenario.faults.begin() + static_cast<std::ptrdiff_t>(*index));
    }
  }

  // A fault that finds no place would be left standing for nothing. What was once to be seen stays to be
  // seen: two holders for an instant are no story.
  bool breaks(ShrunkFinding& candidate) {
    StrikePlaces places(simulation_, candidate.scenario.faults);
    const RunReport report = run(candidate, &places);
    const bool is_seen = report.shows_its_letter || !candidate.shows_its_letter;
    candidate.shows_its_letter = report.shows_its_letter;
    return report.letter == letter_ && is_seen && report.faults_not_struck.empty() && places.are_right();
  }

  // Changes a copy, and keeps it if the lock still breaks.
  bool attempt(const std::function<void(ShrunkFinding&)>& change) {
    if (runs_ >= most_runs) {
      return false;
    }
    ShrunkFinding candidate = best_;
    change(candidate);
    if (!breaks(candidate)) {
      return false;
    }
    best_ = std::move(candidate);
    return true;
  }

  void without_choices() {
    if (best_.choices.empty() && !best_.reorders) {
      return;
    }
    const auto forget = [](ShrunkFinding& candidate) {
      candidate.choices.clear();
      candidate.reorders = false;
    };
    if (attempt(forget)) {
      return;
    }
    // Often all they do is let a client go first that would not by itself: then strike the one that does.
    const std::vector<ClientSpec> clients = best_.scenario.clients;
    for (std::size_t one = 0; one < clients.size(); ++one) {
      for (std::size_t other = one + 1; other < clients.size(); ++other) {
        if (attempt_elsewhere([&](ShrunkFinding& candidate) {
              forget(candidate);
              swap_names(candidate.scenario.faults, clients[one].name, clients[other].name);
            })) {
          return;
        }
      }
    }
  }

  static void swap_names(std::vector<FaultSpec>& faults, const std::string& one, const std::string& other) {
    const auto swap_name = [&](std::string& name) {
      if (name == one || name == other) {
        name = name == one ? other : one;
      }
    };
    for (FaultSpec& fault : faults) {
      swap_name(fault.on);
      swap_name(fault.at.process);
      for (const Option& option : options_of(fault)) {
        if (option.kind == OptionKind::processes) {
          std::string name = fault.options.word(option);
          swap_name(name);
          fault.options.set(option, std::move(name));
        }
      }
      if (fault.until) {
        swap_name(fault.until->process);
      }
    }
  }

  void without_faults() {
    for (std::size_t index = best_.scenario.faults.size(); index-- > 0;) {
      attempt([&](ShrunkFinding& candidate) {
        candidate.scenario.faults.erase(candidate.scenario.faults.begin() +
                                        static_cast<std::ptrdiff_t>(index));
      });
    }
  }

  void without_clients() {
    for (std::size_t index = best_.scenario.clients.size(); index-- > 0;) {
      if (best_.scenario.clients.size() == 1) {
        return;
      }
      const std::string name = best_.scenario.clients[index].name;
      const auto names_it = [&](const FaultSpec& fault) {
        const auto in_option = [&](const Option& option) {
          return option.kind == OptionKind::processes && fault.options.word(option) == name;
        };
        return fault.on == name || fault.at.process == name ||
               std::ranges::any_of(options_of(fault), in_option) ||
               (fault.until && fault.until->process == name);
      };
      if (std::ranges::any_of(best_.scenario.faults, names_it)) {
        continue;
      }
      const auto leave_out = [&](ShrunkFinding& candidate) {
        candidate.scenario.clients.erase(candidate.scenario.clients.begin() +
                                         static_cast<std::ptrdiff_t>(index));
      };
      const std::optional<std::uint32_t> number = number_of(name);
      const bool is_gone = !best_.choices.empty() && number && attempt([&](ShrunkFinding& candidate) {
        leave_out(candidate);
        forget_process(candidate.choices, *number);
      });
      if (!is_gone) {
        attempt_elsewhere([&](ShrunkFinding& candidate) {
          leave_out(candidate);
          candidate.choices.clear();
          candidate.reorders = false;
        });
      }
    }
  }

  std::optional<std::uint32_t> number_of(const std::string& name) {
    run(best_, nullptr);
    const Kernel& kernel = simulation_.kernel();
    for (std::uint32_t number = 0; number < kernel.process_count(); ++number) {
      if (kernel.process(static_cast<ProcessId>(number)).name == name) {
        return number;
      }
    }
    return std::nullopt;
  }

  // Streams are known by the numbers of processes: those after it move up.
  static void forget_process(std::vector<LoggedChoice>& choices, std::uint32_t number) {
    const auto is_of_two = [](const LoggedChoice& choice) {
      return choice.stream == "latency" || choice.stream == "defer";
    };
    std::erase_if(choices, [&](const LoggedChoice& choice) {
      return choice.first == number || (is_of_two(choice) && choice.second == number);
    });
    for (LoggedChoice& choice : choices) {
      choice.first -= choice.first > number ? 1 : 0;
      choice.second -= is_of_two(choice) && choice.second > number ? 1 : 0;
    }
  }

  // With one client less the others take their steps at other times: the fault may have to strike earlier.
  bool attempt_elsewhere(const std::function<void(ShrunkFinding&)>& change) {
    if (attempt(change)) {
      return true;
    }
    for (std::size_t fault = 0; fault < best_.scenario.faults.size(); ++fault) {
      const std::uint32_t ordinal = best_.scenario.faults[fault].at.ordinal;
      for (std::uint32_t earlier = 1; earlier < ordinal; ++earlier) {
        if (attempt([&](ShrunkFinding& candidate) {
              change(candidate);
              candidate.scenario.faults[fault].at.ordinal = earlier;
            })) {
          return true;
        }
      }
    }
    return false;
  }

  // Who asks less often takes fewer steps.
  void fewer_questions() {
    const Duration ttl = ttl_of(best_.scenario, *target_.lock);
    for (const std::int64_t per_mille : {1000, 500, 250}) {
      const auto& interval = best_.scenario.settings.retry_interval;
      if (interval && interval->resolve(ttl) >= ttl * per_mille / 1000) {
        return;
      }
      if (attempt_elsewhere([&](ShrunkFinding& candidate) {
            candidate.scenario.settings.retry_interval = ScenarioDuration{Duration::zero(), per_mille};
          })) {
        return;
      }
    }
  }

  void simpler_world() {
    const Store& store = store_called(target_.lock->needs.store);
    const auto least = static_cast<std::int64_t>(target_.lock->needs.replicas);
    const auto set = [&store](ShrunkFinding& candidate, const Option& option, OptionValue value) {
      candidate.scenario.topology.set(store.id(), option, std::move(value));
    };
    const auto values = [&] { return best_.scenario.topology.of(store.id()); };
    if (store.replicas() != nullptr && values().count(*store.replicas()) > least) {
      attempt([&](ShrunkFinding& candidate) {
        set(candidate, *store.replicas(), least);
        if (store.replication_lag() != nullptr) {
          set(candidate, *store.replication_lag(), usual_value(*store.replication_lag()));
        }
      });
    }
    for (const Option& option : store.options()) {
      const bool is_of_replicas = &option == store.replicas() || &option == store.replication_lag();
      if (!is_of_replicas && !values().is_usual(option)) {
        attempt([&](ShrunkFinding& candidate) { set(candidate, option, usual_value(option)); });
      }
    }
  }

  void simpler_work() {
    const Attempt in_place = [this](const ChangeFinding& change) { return attempt(change); };
    const Attempt elsewhere = [this](const ChangeFinding& change) { return attempt_elsewhere(change); };
    fewer_rounds(best_, in_place, elsewhere);
    plainer_work(best_, in_place, elsewhere);
  }

  // Halves first, then single ones.
  void fewer_choices() {
    for (std::size_t size = best_.choices.size() / 2; size > 0; size /= 2) {
      for (std::size_t begin = 0; begin < best_.choices.size(); begin += size) {
        const std::size_t end = std::min(best_.choices.size(), begin + size);
        const auto is_nothing = [](const LoggedChoice& choice) { return choice.picked == 0; };
        if (std::all_of(best_.choices.begin() + static_cast<std::ptrdiff_t>(begin),
                        best_.choices.begin() + static_cast<std::ptrdiff_t>(end), is_nothing)) {
          continue;
        }
        attempt([&](ShrunkFinding& candidate) {
          for (std::size_t index = begin; index < end; ++index) {
            candidate.choices[index].picked = 0;
          }
        });
      }
    }
  }

  // "c1 at its 7th step" becomes "c1 when its first SET has been applied".
  void name_places() {
    for (std::size_t index = 0; index < best_.scenario.faults.size(); ++index) {
      StepNames steps;
      run(best_, &steps);
      const StepSelector at = best_.scenario.faults[index].at;
      if (at.ordinal == 0) {
        continue;
      }
      if (const auto named = name_of(steps.places(), at)) {
        attempt([&](ShrunkFinding& candidate) { candidate.scenario.faults[index].at = *named; });
      }
    }
  }

  std::optional<StepSelector> name_of(const std::vector<StepNames::Place>& places,
                                      const StepSelector& at) const {
    StepSelector named;
    named.process = at.process;
    named.nth = 0;
    const auto is_its = [&](const StepNames::Place& place) {
      return simulation_.kernel().process(place.process).name == at.process;
    };
    const auto found = std::ranges::find_if(
        places, [&](const auto& place) { return is_its(place) && place.ordinal == at.ordinal; });
    if (found == places.end()) {
      return std::nullopt;
    }
    named.phase = found->phase;
    named.name = found->name;
    for (auto place = places.begin(); place <= found; ++place) {
      named.nth += is_its(*place) && place->phase == found->phase && place->name == found->name ? 1 : 0;
    }
    return named;
  }

  void less_of_each_fault() {
    const Duration ttl = ttl_of(best_.scenario, *target_.lock);
    for (std::size_t index = 0; index < best_.scenario.faults.size(); ++index) {
      end_by_time(index);
      const FaultSpec fault = best_.scenario.faults[index];
      if (fault.lasts) {
        shorten(*fault.lasts, ttl, [&](const ScenarioDuration& lasts) {
          return attempt([&](ShrunkFinding& candidate) { candidate.scenario.faults[index].lasts = lasts; });
        });
      }
      for (const Option& option : options_of(fault)) {
        if (option.shrinks) {
          shrink_option(option, fault.options.value(option), ttl, [&](const OptionValue& value) {
            return attempt([&](ShrunkFinding& candidate) {
              candidate.scenario.faults[index].options.set(option, value);
            });
          });
        }
      }
    }
  }

  // What lasts until something happens has no length that could be made less.
  void end_by_time(std::size_t index) {
    for (const std::int64_t per_mille : {500, 1500, 3000}) {
      if (!best_.scenario.faults[index].until) {
        return;
      }
      attempt([&](ShrunkFinding& candidate) {
        candidate.scenario.faults[index].until.reset();
        candidate.scenario.faults[index].lasts = ScenarioDuration{Duration::zero(), per_mille};
      });
    }
  }

  // What always fails need not fail a thousand times. (What is stuck must have had the time to go on.)
  void shorter_run() {
    if (letter_ != Letter::always_error) {
      return;
    }
    Duration limit = best_.scenario.time_limit.resolve(ttl_of(best_.scenario, *target_.lock));
    while (limit > 2s && attempt([&](ShrunkFinding& candidate) {
             candidate.scenario.time_limit = ScenarioDuration{limit / 2, 0};
           })) {
      limit /= 2;
    }
  }

  // Every seed comes to the same if no latency is left to choose.
  void finish() {
    if (best_.choices.empty() ||
        std::ranges::all_of(best_.choices, [](const auto& c) { return c.picked == 0; })) {
      ShrunkFinding fixed = best_;
      fixed.choices.clear();
      fixed.scenario.topology.latency.jitter_steps = 1;
      fixed.scenario.settings.retry_jitter = ScenarioDuration{};
      if (breaks(fixed)) {
        best_ = std::move(fixed);
      }
    }
    StepNames steps;
    const RunReport report = run(best_, &steps);
    best_.steps = steps.applied();
    best_.fingerprint = report.fingerprint;
    best_.runs = runs_;
    best_.is_least = runs_ < most_runs;
    best_.scenario.lock = std::string(target_.lock->id);
    best_.scenario.expect = {.letter = std::string(to_text(letter_)), .reasoned = {}, .note = {}};
  }

  Simulation& simulation_;
  const ExploreTarget& target_;
  Letter letter_;
  ShrunkFinding best_;
  std::uint64_t runs_ = 0;
};

}  // namespace

bool shrink(Simulation& simulation, const ExploreTarget& target, const ExploreFinding& finding,
            ShrunkFinding& result) {
  Shrinker shrinker(simulation, target, finding);
  if (!shrinker.shrink()) {
    return false;
  }
  result = shrinker.take();
  return true;
}

}  // namespace holdfast
