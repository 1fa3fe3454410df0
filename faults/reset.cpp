// reset: connections break; what was in flight on them is lost and both ends learn of it.
//
// A client may have several to a server (one for commands, one for what it has subscribed to, one for each
// thread). At a step of a call all of them break, or only that which carries the call. At `sending` and
// `arrived` the request is lost with them, so that it is never executed; at `applied` it was, and its answer
// is lost.
#include "faults/faults.h"

namespace holdfast::faults {
namespace {

constexpr std::array<std::string_view, 2> connections_words{"all", "call"};
constexpr Option connections_option{
    .name = "connections",
    .kind = OptionKind::word,
    .meaning = "at a step of a call: all between the client and the server, or only that of the call",
    .what = "choice of connections",
    .words = connections_words,
    .usual_word = "all",
    .needs_a_call = true};
constexpr std::array reset_options{outside_calls(peers_option), connections_option};

// A store that does not tell its connections apart has only all of them.
bool strikes_one_connection(const Strike& strike) {
  return strikes_a_call(strike) && strike.step->connection != no_connection &&
         strike.word(connections_option) == "call";
}

}  // namespace

FaultEntry reset() {
  return {.id = "reset",
          .summary =
              "its connections break, and both ends learn of it; at a step of a call, with its request, "
              "which is never executed, or at phase applied its answer",
          .options = reset_options,
          .strikes_clients = true,
          .strikes_servers = true,
          .excuses_waiting = false,
          .phases = message_phases,
          .begin =
              [](Strike& strike) {
                Network& network = strike.world->network;
                if (strikes_a_call(strike) && strike.step->phase == Phase::sending) {
                  // What is not under way yet cannot be lost: it happens as soon as it is.
                  network.break_next(strike.step->client, strike.step->server,
                                     strike.word(connections_option) == "call" ? Breaking::its_connection
                                                                               : Breaking::all_connections);
                  strike.world->kernel.mark(Mark::request_lost);
                  return;
                }
                if (strikes_one_connection(strike)) {
                  network.reset_connection(strike.step->connection, strike.step->client, strike.step->server);
                  return;
                }
                if (strikes_a_call(strike)) {
                  network.reset_connections(strike.step->client, strike.step->server);
                  return;
                }
                for (const ProcessId peer : peers_of(strike)) {
                  network.reset_connections(strike.target, peer);
                }
              },
          .end = nullptr,
          .describe =
              [](const Strike& strike) {
                return std::string(strikes_one_connection(strike) ? "the connection of its call is reset"
                                                                  : "its connection is reset");
              }};
}

}  // namespace holdfast::faults
