// Expiry times given to a command: a number and a unit, turned into an absolute wall time.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "harness/stores/redis/model/call.h"
#include "harness/stores/redis/model/command_table.h"

namespace holdfast::redis {

struct ExpireUnit {
  bool seconds;   // else milliseconds
  bool absolute;  // else from now on
};

struct ExpireTime {
  std::int64_t at_ms = 0;
  std::optional<Reply> error;
};

// `at_least` is 1 for the SET family, which refuses zero and less; EXPIRE takes any number that fits.
inline ExpireTime parse_expire_time(const Call& call, std::string_view word, ExpireUnit unit,
                                    std::int64_t at_least) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  const std::optional<std::int64_t> number = parse_integer(word);
  if (!number) return {0, not_an_integer()};
  std::int64_t at_ms = *number;
  if (at_ms < at_least) return {0, invalid_expire_time(call.info.name)};
  if (unit.seconds) {
    if (at_ms > largest / 1000 || at_ms < -(largest / 1000)) return {0, invalid_expire_time(call.info.name)};
    at_ms *= 1000;
  }
  if (!unit.absolute) {
    if (at_ms > largest - call.database.now_ms()) return {0, invalid_expire_time(call.info.name)};
    at_ms += call.database.now_ms();
  }
  return {at_ms, std::nullopt};
}

}  // namespace holdfast::redis
