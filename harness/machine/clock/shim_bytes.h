// The bytes of the preloaded library, as the build made it.
#pragma once

#include <span>

namespace holdfast {

std::span<const char> clock_shim_bytes();

}  // namespace holdfast
