#include "harness/kernel/fingerprint.h"

#include <fmt/format.h>

namespace holdfast {

std::string to_hex(std::uint64_t value) {
  return fmt::format("{:016x}", value);
}

}  // namespace holdfast
