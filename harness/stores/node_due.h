// When what a node waits for has come, in true time.
#pragma once

#include <algorithm>
#include <optional>

#include "harness/kernel/kernel.h"
#include "harness/stores/node.h"

namespace holdfast {

// The later of `so_far` and of the moment at which the clock of the node's process shows what the timer says;
// `so_far` if it will never show it.
inline std::optional<Duration> later_of(std::optional<Duration> so_far, const std::optional<NodeTimer>& timer,
                                        const Kernel& kernel, ProcessId process) {
  if (!timer) {
    return so_far;
  }
  const Process& owner = kernel.process(process);
  const Clock& clock = timer->clock == ClockKind::wall ? owner.wall : owner.monotonic;
  const Duration due = clock.when(timer->reading, kernel.now());
  return due == never ? so_far : std::max(so_far.value_or(due), due);
}

}  // namespace holdfast
