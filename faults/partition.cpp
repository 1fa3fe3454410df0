// partition: the network between the process and its peers is cut.
//
// `messages`: "lost" (what is in flight or sent meanwhile never arrives) or "held" (it all arrives when the
// partition heals, as TCP retransmits it). `direction`: both, to (what the process sends), from.
// Reads: on, peers, messages, direction, at, lasts or until.
#include <fmt/format.h>

#include "faults/faults.h"

namespace holdfast::faults {
namespace {

template <typename Act>
void for_each_link(const Strike& strike, Act act) {
  const std::string& direction = strike.spec->direction;
  for (const ProcessId peer : peers_of(strike)) {
    if (direction != "from") {
      act(strike.target, peer);
    }
    if (direction != "to") {
      act(peer, strike.target);
    }
  }
}

}  // namespace

FaultEntry partition() {
  return {.id = "partition",
          .summary = "the network between the process and its peers is cut",
          .parameters = "on, peers, messages, direction, at, for | until",
          .strikes_clients = true,
          .strikes_servers = true,
          .excuses_waiting = true,
          .phases = client_phases,
          .begin =
              [](Strike& strike) {
                Network& network = strike.world->network;
                const bool held = strike.spec->messages == "held";
                for_each_link(strike, [&](ProcessId from, ProcessId to) {
                  held ? network.hold(from, to) : network.cut(from, to);
                });
              },
          .end =
              [](Strike& strike) {
                Network& network = strike.world->network;
                const bool held = strike.spec->messages == "held";
                for_each_link(strike, [&](ProcessId from, ProcessId to) {
                  held ? network.let_go(from, to) : network.mend(from, to);
                });
              },
          .describe =
              [](const Strike& strike) {
                return fmt::format("cut off from {}{} (messages {}){}",
                                   strike.spec->peers == "all" ? "everything" : strike.spec->peers,
                                   strike.spec->direction == "both" ? "" : ", one way", strike.spec->messages,
                                   strike.spec->until ? "" : fmt::format(" for {}", to_text(strike.lasts)));
              }};
}

}  // namespace holdfast::faults
