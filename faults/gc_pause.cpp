// gc-pause: the process stops as a whole for a while, as in a stop-the-world collection.
//
// What comes due meanwhile waits in order; its clocks run on. On resume the next instruction runs without
// looking at a clock again. In `live` this is SIGSTOP and SIGCONT.
#include <fmt/format.h>

#include "faults/faults.h"

namespace holdfast::faults {

FaultEntry gc_pause() {
  return {.id = "gc-pause",
          .summary = "the process stands still for a while and does not notice",
          .lasting = Lasting::for_or_until,
          .strikes_clients = true,
          .strikes_servers = true,
          .excuses_waiting = true,
          .phases = client_phases,
          .begin = [](Strike& strike) { strike.world->kernel.pause(strike.target); },
          .end = [](Strike& strike) { strike.world->kernel.resume(strike.target); },
          .describe =
              [](const Strike& strike) {
                return strike.spec->until ? std::string("pauses")
                                          : fmt::format("pauses for {}", to_text(strike.lasts));
              }};
}

}  // namespace holdfast::faults
