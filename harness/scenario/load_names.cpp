#include "harness/scenario/load_names.h"

namespace holdfast {

std::map<std::string, FaultParameters> fault_parameters() {
  return {
      {"gc-pause", {{"for", "until"}, {"for|until"}}},
      {"crash", {{"thread"}, {}}},
      {"crash-restart", {{"for", "until"}, {"for|until"}}},
      {"partition", {{"peers", "messages", "direction", "for", "until"}, {"for|until"}}},
      {"delay", {{"peers", "direction", "for", "until", "by"}, {"by|for|until"}}},
      {"reset", {{"peers"}, {}}},
      {"lost-reply", {{}, {}}},
      {"clock-jump", {{"by", "clock"}, {"by"}}},
      {"clock-drift", {{"parts_per_million", "clock", "for"}, {"parts_per_million"}}},
      {"clock-steps", {{"by", "steps", "every", "clock"}, {"by", "every"}}},
      {"failover", {{}, {}, true}},
      {"server-restart", {{"for"}, {}, true}},
      {"replication-lag", {{"by", "for", "until"}, {"by"}, true}},
  };
}

}  // namespace holdfast
