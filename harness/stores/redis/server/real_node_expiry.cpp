// When the last key of a real redis-server will have expired: asked over our own connection, for nothing in
// the words of its clients tells.
#include <chrono>

#include "harness/stores/redis/server/real_node.h"

namespace holdfast::live {

std::optional<NodeTimer> RealNode::last_due(const NodeClocks& clocks) {
  std::optional<NodeTimer> last = next_due();
  set_clock(clocks);
  // KEYS leaves out what has expired and does not delete it, so looking changes nothing.
  for (const redis::Reply& key : control().execute(redis::make_command("KEYS", "*")).elements) {
    const std::int64_t left_ms = control().execute(redis::make_command("PTTL", key.text)).number;
    if (left_ms < 0 || left_ms >= to_milliseconds(never - clocks.wall)) {
      continue;  // it never expires, or later than a duration tells
    }
    const Duration gone = clocks.wall + std::chrono::milliseconds(left_ms + 1);
    if (!last || last->reading < gone) {
      last = NodeTimer{ClockKind::wall, gone};
    }
  }
  return last;
}

}  // namespace holdfast::live
