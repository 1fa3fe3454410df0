// How a lock is taken. Apart from event.h, so that checking a history does not take the simulation.
#pragma once

#include <cstdint>

namespace holdfast {

enum class Mode : std::uint8_t { exclusive, shared };

}  // namespace holdfast
