// partition: the network between the process and its peers is cut.
//
// Its messages are lost (what is in flight or sent meanwhile never arrives) or held (it all arrives when the
// partition heals, as TCP retransmits it).
#include <fmt/format.h>

#include "faults/faults.h"

namespace holdfast::faults {
namespace {

constexpr std::array<std::string_view, 2> messages_words{"lost", "held"};
constexpr std::array partition_options{
    peers_option,
    Option{.name = "messages",
           .kind = OptionKind::word,
           .meaning = "what becomes of messages meanwhile: held ones arrive when the cut heals",
           .what = "way to treat messages",
           .words = messages_words,
           .usual_word = "lost"},
    direction_option,
};
constexpr const Option& messages_option = partition_options[1];

}  // namespace

FaultEntry partition() {
  return {.id = "partition",
          .summary = "the network between the process and its peers is cut",
          .options = partition_options,
          .lasting = Lasting::for_or_until,
          .strikes_clients = true,
          .strikes_servers = true,
          .excuses_waiting = true,
          .phases = client_phases,
          .begin =
              [](Strike& strike) {
                Network& network = strike.world->network;
                const bool held = strike.word(messages_option) == "held";
                for_each_link(strike, [&](ProcessId from, ProcessId to) {
                  held ? network.hold(from, to) : network.cut(from, to);
                });
              },
          .end =
              [](Strike& strike) {
                Network& network = strike.world->network;
                const bool held = strike.word(messages_option) == "held";
                for_each_link(strike, [&](ProcessId from, ProcessId to) {
                  held ? network.let_go(from, to) : network.mend(from, to);
                });
              },
          .describe =
              [](const Strike& strike) {
                const std::string peers = strike.word(peers_option);
                return fmt::format("cut off from {}{} (messages {}){}", peers == "all" ? "everything" : peers,
                                   strike.word(direction_option) == "both" ? "" : ", one way",
                                   strike.word(messages_option),
                                   strike.spec->until ? "" : fmt::format(" for {}", to_text(strike.lasts)));
              }};
}

}  // namespace holdfast::faults
