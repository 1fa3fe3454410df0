// Where temporary files go: $TMPDIR, or the system's place if that is not set or is no directory.
#pragma once

#include <string>

namespace holdfast {

std::string temporary_place();

}  // namespace holdfast
