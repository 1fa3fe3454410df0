#include "harness/seam/porter/eviction.h"

#include <fmt/format.h>

#include "harness/seam/porter/servers.h"

namespace holdfast::porter {
namespace {

constexpr std::array<std::string_view, 2> whom_words{"holders", "waiting"};
constexpr std::array eviction_options{Option{.name = "whom",
                                             .kind = OptionKind::word,
                                             .meaning = "whose connections are closed",
                                             .what = "group of clients",
                                             .words = whom_words,
                                             .usual_word = "holders"}};
constexpr const Option& whom_option = eviction_options[0];

}  // namespace

const FaultEntry& eviction() {
  static const FaultEntry entry{
      .id = "porter-evicts",
      .summary = "an administrator closes connections",
      .options = eviction_options,
      .strikes_servers = true,
      .phases = faults::server_phases,
      .begin =
          [](Strike& strike) {
            auto& servers = static_cast<PorterServers&>(strike.world->servers);
            servers.evict(strike.target, strike.word(whom_option) == "waiting" ? ModelNode::Whom::waiting
                                                                               : ModelNode::Whom::holders);
          },
      .describe =
          [](const Strike& strike) {
            return fmt::format("evicts {}",
                               strike.word(whom_option) == "waiting" ? "all who wait" : "every holder");
          }};
  return entry;
}

}  // namespace holdfast::porter
