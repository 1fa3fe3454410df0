// The keys of one server with their values and expiry times. Storage only: it never looks at a clock.
//
// Sorted by key, so that everything that walks it has one order. Nodes of erased keys are kept for
// the next ones: a lock's key comes and goes all the time.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/stores/redis/model/values.h"

namespace holdfast::redis {

struct Entry {
  // In the year 292278994; a real server can tell that millisecond from never.
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  Value value;
  std::int64_t expire_at_ms = never;  // wall time; the key is gone in the millisecond after

  bool expires() const { return expire_at_ms != never; }
};

class Keyspace {
 public:
  using Map = std::map<std::string, Entry, std::less<>>;

  Entry* find(std::string_view key);
  // The key must be absent. The new entry holds an empty string that never expires.
  Entry& insert(std::string_view key);
  bool erase(std::string_view key);
  void clear();
  const Map& entries() const { return entries_; }

 private:
  void recycle(Map::node_type node);

  Map entries_;
  std::vector<Map::node_type> spare_nodes_;
};

}  // namespace holdfast::redis
