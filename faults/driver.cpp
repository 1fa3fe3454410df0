#include "faults/driver.h"

#include <algorithm>

#include "faults/catalog.h"
#include "harness/stores/store.h"

namespace holdfast {
namespace {

// How long after a fault a run goes on at least: a few ways through the network.
constexpr Duration settling_time = 10ms;

}  // namespace

ProcessId FaultDriver::find(const std::string& name) const {
  for (std::size_t index = 1; index < world_->kernel.process_count(); ++index) {
    if (world_->kernel.process(static_cast<ProcessId>(index)).name == name) {
      return static_cast<ProcessId>(index);
    }
  }
  if (const Store* const store = find_store(name); store != nullptr && store->has_servers()) {
    return find(name + "-1");  // of several, the first
  }
  return world_process;  // this topology has no such process: the fault finds no place and says so
}

FaultDriver::Armed FaultDriver::armed(const FaultSpec& spec, ProcessId target) const {
  Armed fault;
  fault.spec = &spec;
  fault.entry = find_fault(spec.fault);
  require(fault.entry != nullptr, "a scenario with an unknown fault was refused when it was loaded");
  fault.strike.spec = &spec;
  fault.strike.world = world_;
  fault.strike.target = target;
  fault.strike.ttl = ttl_;
  fault.strike.lasts = spec.lasts ? spec.lasts->resolve(ttl_) : Duration::zero();
  fault.at = {&spec.at, find(spec.at.process), 0};
  if (spec.until) {
    fault.until = {&*spec.until, find(spec.until->process), 0};
  }
  return fault;
}

void FaultDriver::reset(FaultWorld& world, History& history, Duration ttl,
                        const std::vector<FaultSpec>& faults, std::size_t unplanned) {
  world_ = &world;
  history_ = &history;
  ttl_ = ttl;
  faults_.clear();
  faults_.reserve(faults.size() + unplanned);  // strikes are referred to by address while they last
  watching_ = 0;
  for (const FaultSpec& spec : faults) {
    faults_.push_back(armed(spec, find(spec.on)));
    const Armed& fault = faults_.back();
    if (fault.strike.target == world_process) {
      continue;
    }
    if (spec.at.time) {
      world_->kernel.call_at(world_process, spec.at.time->resolve(ttl), begin_by_time, this,
                             faults_.size() - 1);
    } else {
      ++watching_;
    }
  }
}

void FaultDriver::strike(const FaultSpec& spec, ProcessId target, const Step& step) {
  require(faults_.size() < faults_.capacity(), "no more faults strike than there is room for");
  faults_.push_back(armed(spec, target));
  ++watching_;
  begin(faults_.back(), &step);
}

bool FaultDriver::fits(Watch& watch, const Step& step) {
  const StepSelector& selector = *watch.selector;
  const bool of_client = step.client == watch.process;
  const bool of_server = step.server_ordinal != 0 && step.server == watch.process;
  if (selector.ordinal != 0) {
    return (of_client && step.client_ordinal == selector.ordinal) ||
           (of_server && step.server_ordinal == selector.ordinal);
  }
  const bool same = (of_client || of_server) && (selector.thread == 0 || selector.thread == step.thread) &&
                    (!selector.phase || *selector.phase == step.phase) &&
                    (selector.name.empty() || selector.name == step.name);
  return same && ++watch.seen == selector.nth;
}

void FaultDriver::on_step(const Step& step) {
  if (watching_ == 0) {
    return;
  }
  for (Armed& fault : faults_) {
    if (!fault.struck) {
      if (!fault.spec->at.time && fault.strike.target != world_process && fits(fault.at, step) &&
          finds_something(*fault.entry, fault.strike.target, step)) {
        begin(fault, &step);
      }
    } else if (!fault.over && fault.spec->until && fits(fault.until, step)) {
      end(fault);
    }
  }
}

void FaultDriver::stop_watching() {
  require(watching_ > 0, "no more faults find their step than wait for one");
  --watching_;
}

void FaultDriver::begin(Armed& fault, const Step* step) {
  require(!fault.struck && !fault.over, "a fault strikes once");
  fault.struck = true;
  fault.strike.step = step;
  const FaultEntry& entry = *fault.entry;
  const bool lasts = entry.end != nullptr;
  // `value` 1: while it lasts nobody is blamed for waiting.
  history_->record({.type = EventType::fault_begin,
                    .process = fault.strike.target,
                    .token = std::nullopt,
                    .value = lasts && entry.excuses_waiting ? 1 : 0},
                   entry.describe(fault.strike));
  entry.begin(fault.strike);
  fault.strike.step = nullptr;
  if (fault.strike.ended_thread != 0) {
    history_->record({.type = EventType::died,
                      .process = fault.strike.target,
                      .thread = fault.strike.ended_thread,
                      .token = std::nullopt});
  }
  const bool by_step = lasts && fault.spec->until && !fault.spec->until->time;
  if (!by_step && !fault.spec->at.time) {
    stop_watching();
  }
  if (by_step && fault.spec->at.time) {
    ++watching_;
  }
  if (!lasts) {
    fault.over = true;
  } else if (!by_step) {
    const auto index = static_cast<std::uint64_t>(&fault - faults_.data());
    Kernel& kernel = world_->kernel;
    const Duration due =
        fault.spec->until ? fault.spec->until->time->resolve(ttl_) : kernel.now() + fault.strike.lasts;
    kernel.hold_open();  // what a healed network still delivers belongs to the run
    kernel.call_at(world_process, std::max(due, kernel.now()), end_by_time, this, index);
  }
}

void FaultDriver::end(Armed& fault) {
  require(fault.struck && !fault.over, "only a fault that strikes can end, and once");
  fault.over = true;
  if (fault.spec->until && !fault.spec->until->time) {
    stop_watching();
  }
  fault.entry->end(fault.strike);
  history_->record({.type = EventType::fault_end,
                    .process = fault.strike.target,
                    .token = std::nullopt,
                    .value = fault.entry->excuses_waiting ? 1 : 0},
                   fault.entry->id);
}

void FaultDriver::begin_by_time(void* context, std::uint64_t index) {
  auto& driver = *static_cast<FaultDriver*>(context);
  driver.begin(driver.faults_[index], nullptr);
}

void FaultDriver::end_by_time(void* context, std::uint64_t index) {
  auto& driver = *static_cast<FaultDriver*>(context);
  driver.end(driver.faults_[index]);
  close_later(driver.world_->kernel, settling_time);
}

std::vector<std::size_t> FaultDriver::not_struck() const {
  std::vector<std::size_t> result;
  for (std::size_t index = 0; index < faults_.size(); ++index) {
    if (!faults_[index].struck) {
      result.push_back(index);
    }
  }
  return result;
}

}  // namespace holdfast
