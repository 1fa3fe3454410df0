// lost-request: what was asked never reaches the server, and the connection stays: its client waits in vain.
//
// A request is lost as it is sent, or at the server's door: nobody can tell the difference, so a sweep tries
// only the first.
#include "faults/faults.h"

namespace holdfast::faults {

FaultEntry lost_request() {
  return {.id = "lost-request",
          .summary = "the request is never executed, and nobody is told; at phase sending or arrived",
          .strikes_clients = true,
          .strikes_servers = false,
          .strikes_requests = true,
          .excuses_waiting = false,
          .phases = request_phases,
          .begin =
              [](Strike& strike) {
                if (strikes_a_request(strike)) {
                  strike.world->network.lose_next(strike.step->client, strike.step->server);
                  strike.world->kernel.mark(Mark::request_lost);
                }
              },
          .end = nullptr,
          .describe = [](const Strike&) { return std::string("its request is lost"); }};
}

}  // namespace holdfast::faults
