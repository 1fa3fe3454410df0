// The pattern language of KEYS: * ? [abc] [^a] [a-z] and a backslash before a literal.
#pragma once

#include <string_view>

namespace holdfast::redis {

bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace holdfast::redis
