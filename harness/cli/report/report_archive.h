// The Python side of the reports, inside this program: an archive that Python runs as it is.
#pragma once

#include <string_view>

namespace holdfast::cli {

std::string_view report_archive();

}  // namespace holdfast::cli
