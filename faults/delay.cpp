// delay: at a step of a call, the one message about to be sent takes `by` longer (and what follows overtakes
// it, as on a new connection); elsewhere, everything between the process and its peers does, while it lasts.
#include <fmt/format.h>

#include "faults/faults.h"

namespace holdfast::faults {
namespace {

constexpr std::array delay_options{
    Option{.name = "by",
           .kind = OptionKind::positive_duration,
           .meaning = "how much longer a message takes",
           .is_required = true,
           .shrinks = true},
    outside_calls(peers_option),
    outside_calls(direction_option),
};
constexpr const Option& extra_option = delay_options[0];

void change_latency(const Strike& strike, Duration extra) {
  for_each_link(strike,
                [&](ProcessId from, ProcessId to) { strike.world->network.add_latency(from, to, extra); });
}

}  // namespace

FaultEntry delay() {
  return {.id = "delay",
          .summary = "at a step of a call that one message takes longer; elsewhere all do, for a while",
          .options = delay_options,
          .lasting = Lasting::unless_a_message,
          .strikes_clients = true,
          .strikes_servers = false,
          .excuses_waiting = false,
          .phases = message_phases,
          .begin =
              [](Strike& strike) {
                const Duration extra = strike.duration(extra_option);
                if (!strikes_a_call(strike)) {
                  strike.distance_left = extra;
                  change_latency(strike, extra);
                  return;
                }
                const Step& step = *strike.step;
                const bool request = step.phase == Phase::sending;
                strike.world->network.delay_next(request ? step.client : step.server,
                                                 request ? step.server : step.client, extra);
                // The run waits for the straggler, even if its sender does not.
                strike.world->kernel.hold_open();
                close_later(strike.world->kernel, extra + 10ms);
              },
          // Nothing if it was one message.
          .end = [](Strike& strike) { change_latency(strike, -strike.distance_left); },
          .describe =
              [](const Strike& strike) {
                const std::string extra = to_text(strike.duration(extra_option));
                return strikes_a_call(strike)
                           ? fmt::format("its {} is delayed by {}",
                                         strike.step->phase == Phase::sending ? "request" : "reply", extra)
                           : fmt::format("its network slows down by {}", extra);
              }};
}

}  // namespace holdfast::faults
