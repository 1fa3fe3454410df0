#include "harness/explore/target.h"

#include <fmt/format.h>

#include <algorithm>

#include "faults/catalog.h"
#include "harness/kernel/random_strategy.h"
#include "harness/scenario/file/save.h"
#include "harness/stores/store.h"
#include "harness/workload/shapes.h"

namespace holdfast {
namespace {

// No fault and no overtaking; the rest by seed.
class QuietStrategy final : public Strategy {
 public:
  explicit QuietStrategy(std::uint64_t seed) { random_.reset(seed); }
  void open(StreamId id, const StreamName& name) override {
    is_quiet_.push_back(name.name == fault_stream || name.name == "defer");
    random_.open(id, name);
  }
  std::uint64_t pick(StreamId id, std::uint64_t options) override {
    ++questions_;
    return is_quiet_[static_cast<std::size_t>(id)] ? 0 : random_.pick(id, options);
  }
  std::uint64_t questions() const { return questions_; }

 private:
  RandomStrategy random_;
  std::vector<bool> is_quiet_;
  std::uint64_t questions_ = 0;
};

bool strikes_servers(const FaultSpec& fault) {
  return fault.on == "servers" || names_a_store(fault.on);
}

bool needs_replicas(const FaultSpec& fault) {
  return find_fault(fault.fault)->needs_replicas;
}

// What the scenario itself says of its clients stands; only more or fewer of them, and rounds, can be asked
// for.
void set_clients(Scenario& scenario, const TargetOptions& options) {
  while (scenario.clients.size() > options.clients) {
    scenario.clients.pop_back();
  }
  while (scenario.clients.size() < options.clients) {
    ClientSpec client;
    client.name = fmt::format("c{}", scenario.clients.size() + 1);
    scenario.clients.push_back(client);
  }
  scenario.workload.rounds = options.rounds;
  if (!scenario.settings.retry_interval && options.most_faults > 0) {
    // Who asks ten times a second while somebody pauses makes a long run that shows little more.
    scenario.settings.retry_interval = ScenarioDuration{700ms, 0};
  }
}

void put_shapes(ExploreTarget& target, const TargetOptions& options) {
  if (const Shape* const only = find_shape(options.shape); only != nullptr) {
    target.scenario = shaped(target.scenario, *only);
  } else if (options.draws_shapes) {
    for (const Shape* const shape : shapes_for(target.scenario, *target.lock)) {
      target.shapes.push_back(shaped(target.scenario, *shape));
    }
    target.shapes.erase(target.shapes.begin());  // the plain one is the scenario itself
  }
}

}  // namespace

const Scenario& ExploreTarget::in_shape(const std::string& id) const {
  const auto found = std::ranges::find(shapes, id, &Scenario::shape);
  return found == shapes.end() ? scenario : *found;
}

ExploreTarget make_target(const LockEntry& lock, const Scenario& scenario, const std::vector<FaultSpec>& menu,
                          const TargetOptions& options) {
  ExploreTarget target;
  target.lock = &lock;
  target.scenario = scenario;
  target.scope.menu = scenario.sweep.empty() ? menu : scenario.sweep;
  if (lock.needs.servers == 0) {
    std::erase_if(target.scope.menu, strikes_servers);
  }
  std::erase_if(target.scope.menu,
                [&](const FaultSpec& fault) { return !suits(*find_fault(fault.fault), lock.needs.store); });
  target.scope.most_faults = options.most_faults;
  target.scope.reorders = true;
  Scenario& base = target.scenario;
  base.sweep.clear();
  base.column.reset();
  base.seeds = 1;
  base.expect = {};
  base.expect_for.clear();
  if (scenario.is_family()) {
    set_clients(base, options);
  }
  const Store& store = store_called(lock.needs.store);
  if (store.replicas() != nullptr && base.topology.of(store.id()).count(*store.replicas()) == 0 &&
      lock.needs.servers > 0 && std::ranges::any_of(target.scope.menu, needs_replicas)) {
    base.topology.set(store.id(), *store.replicas(), 1);
    if (store.replication_lag() != nullptr) {
      base.topology.set(store.id(), *store.replication_lag(), ScenarioDuration{250ms, 0});
    }
  }
  if (options.fixed_latency) {
    base.topology.latency.jitter_steps = 1;
    base.settings.retry_jitter = ScenarioDuration{};
  }
  if (scenario.is_family()) {
    put_shapes(target, options);
  }
  return target;
}

std::vector<FaultSpec> menu_of(const std::vector<Scenario>& families) {
  std::vector<FaultSpec> menu;
  std::vector<std::string> texts;
  for (const Scenario& family : families) {
    for (const FaultSpec& fault : family.sweep) {
      Scenario alone;
      alone.sweep = {fault};
      std::string text = to_json_text(alone);
      const bool is_of_group = fault.on == "clients" || fault.on == "servers";
      if (is_of_group && std::ranges::count(texts, text) == 0) {
        menu.push_back(fault);
        texts.push_back(std::move(text));
      }
    }
  }
  return menu;
}

ExploreProbe probe(Simulation& simulation, const ExploreTarget& target, std::uint64_t seed) {
  QuietStrategy strategy(seed);
  simulation.run({.scenario = &target.scenario,
                  .lock = target.lock,
                  .seed = seed,
                  .placement = std::nullopt,
                  .strategy = &strategy,
                  .scope = &target.scope});
  ExploreProbe result;
  result.fault_questions = simulation.fault_questions();
  result.questions = strategy.questions() - result.fault_questions;
  result.processes = simulation.kernel().process_count();
  result.menu = target.scope.menu.size();
  result.most_faults = target.scope.most_faults;
  return result;
}

std::vector<FaultSpec> as_planned(const ExploreTarget& target, const std::vector<InjectedFault>& injected,
                                  const Kernel& kernel) {
  std::vector<FaultSpec> faults;
  for (const InjectedFault& each : injected) {
    FaultSpec fault = target.scope.menu[each.entry];
    fault.on = kernel.process(each.process).name;
    fault.at = {};
    fault.at.process = fault.on;
    fault.at.ordinal = each.ordinal;
    faults.push_back(std::move(fault));
  }
  return faults;
}

}  // namespace holdfast
