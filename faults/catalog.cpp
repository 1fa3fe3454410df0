#include "faults/catalog.h"

#include <algorithm>
#include <utility>

#include "faults/faults.h"
#include "harness/kernel/require.h"
#include "harness/stores/store.h"

namespace holdfast {
namespace {

std::vector<FaultEntry> joined() {
  std::vector<FaultEntry> all{faults::gc_pause(),      faults::crash(),          faults::thread_crash(),
                              faults::crash_restart(), faults::partition(),      faults::delay(),
                              faults::reset(),         faults::lost_request(),   faults::lost_reply(),
                              faults::clock_jump(),    faults::clock_drift(),    faults::clock_steps(),
                              faults::failover(),      faults::server_restart(), faults::replication_lag()};
  for (const Store* const store : all_stores()) {
    for (const FaultEntry* const fault : store->faults()) {
      all.push_back(*fault);
      all.back().store = store->id();
    }
  }
  return all;
}

}  // namespace

std::span<const FaultEntry> all_faults() {
  static const std::vector<FaultEntry> all = joined();
  return all;
}

const FaultEntry* find_fault(std::string_view id) {
  for (const FaultEntry& entry : all_faults()) {
    if (entry.id == id) {
      return &entry;
    }
  }
  return nullptr;
}

std::span<const Option> options_of(const FaultSpec& spec) {
  const FaultEntry* const entry = find_fault(spec.fault);
  require(entry != nullptr, "a scenario with an unknown fault was refused when it was loaded");
  return entry->options;
}

void set_option(FaultSpec& spec, std::string_view name, OptionValue value) {
  const std::span<const Option> options = options_of(spec);
  const auto option = std::ranges::find(options, name, &Option::name);
  require(option != options.end(), "a fault is given only what it reads");
  spec.options.set(*option, std::move(value));
}

}  // namespace holdfast
