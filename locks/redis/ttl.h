// A lease in the units that Redis commands take.
#pragma once

#include <algorithm>
#include <cstdint>

#include "harness/kernel/time.h"

namespace holdfast {

// For EXPIRE, SETEX and EX, which know whole seconds only: rounded up, and never 0, which deletes.
constexpr std::int64_t ttl_seconds(Duration ttl) {
  return std::max<std::int64_t>(1, std::chrono::ceil<std::chrono::seconds>(ttl).count());
}

// For PX and PEXPIRE.
constexpr std::int64_t ttl_milliseconds(Duration ttl) {
  return std::max<std::int64_t>(1, to_milliseconds(ttl));
}

}  // namespace holdfast
