#include "harness/scenario/file/load_names.h"

namespace holdfast {

std::map<std::string, FaultParameters> fault_parameters() {
  using Strikes = FaultParameters::Strikes;
  using Step = FaultParameters::Step;
  return {
      {"gc-pause", {{"for", "until"}, {"for|until"}}},
      {"crash", {{"thread"}, {}}},
      {"crash-restart", {{"for", "until"}, {"for|until"}, Strikes::clients}},
      {"partition", {{"peers", "messages", "direction", "for", "until"}, {"for|until"}}},
      {"delay",
       {{"by", "peers", "direction", "for", "until"}, {"by"}, Strikes::clients, Step::call_or_lasting}},
      {"reset", {{"peers"}, {}}},
      {"lost-reply", {{}, {}, Strikes::clients, Step::reply}},
      {"clock-jump", {{"by", "clock"}, {"by"}}},
      {"clock-drift", {{"parts_per_million", "clock", "for"}, {"parts_per_million", "for"}}},
      {"clock-steps", {{"by", "steps", "every", "clock"}, {"by", "every"}}},
      {"failover", {{}, {}, Strikes::servers}},
      {"server-restart", {{"for"}, {"for"}, Strikes::servers}},
      {"replication-lag", {{"by", "for", "until"}, {"by", "for|until"}, Strikes::servers}},
  };
}

}  // namespace holdfast
