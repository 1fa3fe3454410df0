// How checks speak of time.
#pragma once

#include <string>

#include "harness/kernel/time.h"

namespace holdfast {

// "10.003 s"
std::string seconds(Duration duration);

}  // namespace holdfast
