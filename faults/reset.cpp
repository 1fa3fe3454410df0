// reset: the connection breaks; what was in flight is lost and both ends learn of it.
// Reads: on, at; outside a call also peers.
#include "faults/faults.h"

namespace holdfast::faults {

FaultEntry reset() {
  return {.id = "reset",
          .summary = "the connection breaks, and both ends learn of it",
          .parameters = "on, at; outside a call also peers",
          .strikes_clients = true,
          .strikes_servers = true,
          .excuses_waiting = false,
          .phases = message_phases,
          .begin =
              [](Strike& strike) {
                Network& network = strike.world->network;
                if (strike.step != nullptr && strike.step->call != nullptr) {
                  network.reset_connection(strike.step->client, strike.step->server);
                  return;
                }
                for (const ProcessId peer : peers_of(strike)) {
                  network.reset_connection(strike.target, peer);
                }
              },
          .end = nullptr,
          .describe = [](const Strike&) { return std::string("its connection is reset"); }};
}

}  // namespace holdfast::faults
