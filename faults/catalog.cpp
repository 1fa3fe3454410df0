#include "faults/catalog.h"

#include <array>

#include "faults/faults.h"

namespace holdfast {
namespace {

const auto& entries() {
  static const std::array all{faults::gc_pause(),       faults::crash(),      faults::crash_restart(),
                              faults::partition(),      faults::delay(),      faults::reset(),
                              faults::lost_reply(),     faults::clock_jump(), faults::clock_drift(),
                              faults::clock_steps(),    faults::failover(),   faults::server_restart(),
                              faults::replication_lag()};
  return all;
}

}  // namespace

std::span<const FaultEntry> all_faults() {
  return entries();
}

const FaultEntry* find_fault(std::string_view id) {
  for (const FaultEntry& entry : entries()) {
    if (entry.id == id) {
      return &entry;
    }
  }
  return nullptr;
}

}  // namespace holdfast
