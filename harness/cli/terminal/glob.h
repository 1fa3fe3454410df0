// Patterns as a shell has them: * stands for any characters, ? for one. What users choose locks by.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::cli {

bool fits_glob(std::string_view text, std::string_view pattern);
// No pattern at all: everything fits.
bool fits_any(std::string_view text, const std::vector<std::string>& patterns);

// A pattern that nothing fits is a mistake, not an empty selection: throws BadInput, as unknown_word() says.
void check_patterns(std::string_view what, const std::vector<std::string>& patterns,
                    const std::vector<std::string>& known, std::string_view where_listed);

}  // namespace holdfast::cli
