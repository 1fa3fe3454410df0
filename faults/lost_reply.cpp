// lost-reply: the server did what was asked, but its answer never arrives.
#include "faults/faults.h"

namespace holdfast::faults {

FaultEntry lost_reply() {
  return {.id = "lost-reply",
          .summary = "the request is executed, the answer is lost; at phase applied",
          .strikes_clients = true,
          .strikes_servers = false,
          .strikes_answers = true,
          .excuses_waiting = false,
          .phases = reply_phases,
          .begin =
              [](Strike& strike) {
                if (strikes_a_call(strike)) {
                  strike.world->network.lose_next(strike.step->server, strike.step->client);
                  strike.world->kernel.mark(Mark::reply_lost);
                }
              },
          .end = nullptr,
          .describe = [](const Strike&) { return std::string("the reply to it is lost"); }};
}

}  // namespace holdfast::faults
