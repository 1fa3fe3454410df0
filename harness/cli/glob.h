// Patterns as a shell has them: * stands for any characters, ? for one. What users choose locks by.
#pragma once

#include <string_view>

namespace holdfast::cli {

bool fits_glob(std::string_view text, std::string_view pattern);

}  // namespace holdfast::cli
