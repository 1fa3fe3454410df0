// delay: at a step of a call, the one message about to be sent takes `by` longer (and what follows overtakes
// it, as on a new connection); elsewhere, everything between the process and its peers does, while it lasts.
// Reads: on, by, at; elsewhere also peers, direction, lasts or until.
#include <fmt/format.h>

#include "faults/faults.h"

namespace holdfast::faults {
namespace {

bool strikes_one_message(const Strike& strike) {
  return strike.step != nullptr && strike.step->call != nullptr;
}

void change_latency(const Strike& strike, Duration extra) {
  for (const ProcessId peer : peers_of(strike)) {
    if (strike.spec->direction != "from") {
      strike.world->network.add_latency(strike.target, peer, extra);
    }
    if (strike.spec->direction != "to") {
      strike.world->network.add_latency(peer, strike.target, extra);
    }
  }
}

}  // namespace

FaultEntry delay() {
  return {.id = "delay",
          .summary = "one message, or all for a while, takes much longer",
          .parameters = "on, by, at; by time also peers, direction, for | until",
          .strikes_clients = true,
          .strikes_servers = false,
          .excuses_waiting = false,
          .phases = message_phases,
          .begin =
              [](Strike& strike) {
                if (!strikes_one_message(strike)) {
                  change_latency(strike, strike.by);
                  return;
                }
                const Step& step = *strike.step;
                const bool request = step.phase == Phase::sending;
                strike.world->network.delay_next(request ? step.client : step.server,
                                                 request ? step.server : step.client, strike.by);
                // The run waits for the straggler, even if its sender does not.
                strike.world->kernel.hold_open();
                close_later(strike.world->kernel, strike.by + 10ms);
                strike.by = Duration::zero();  // nothing to take back at the end
              },
          .end = [](Strike& strike) { change_latency(strike, -strike.by); },
          .describe =
              [](const Strike& strike) {
                return strikes_one_message(strike)
                           ? fmt::format("its {} is delayed by {}",
                                         strike.step->phase == Phase::sending ? "request" : "reply",
                                         to_text(strike.by))
                           : fmt::format("its network slows down by {}", to_text(strike.by));
              }};
}

}  // namespace holdfast::faults
