// The start and stop of LRANGE and ZRANGE: both inclusive, negative ones count from the end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace holdfast::redis {

struct IndexRange {
  std::size_t first = 0;
  std::size_t last = 0;  // exclusive; equal to first when nothing is in range

  bool empty() const { return first == last; }
};

inline IndexRange resolve_range(std::int64_t start, std::int64_t stop, std::size_t size) {
  const auto count = static_cast<std::int64_t>(size);
  if (start < 0) start = std::max<std::int64_t>(start + count, 0);
  if (stop < 0) stop += count;
  stop = std::min(stop, count - 1);
  if (start > stop) return {};
  return {static_cast<std::size_t>(start), static_cast<std::size_t>(stop) + 1};
}

}  // namespace holdfast::redis
