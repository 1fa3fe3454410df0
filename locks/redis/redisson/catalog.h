// Redisson's part of the catalog.
#pragma once

#include <span>

#include "locks/catalog.h"

namespace holdfast {

std::span<const LockEntry> redisson_locks();

}  // namespace holdfast
