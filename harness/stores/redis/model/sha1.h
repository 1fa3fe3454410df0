// SHA-1 as the name of a script: what SCRIPT LOAD answers and EVALSHA asks for. Not for security.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::redis {

// 40 lower-case hexadecimal digits.
std::string sha1_hex(std::string_view text);

}  // namespace holdfast::redis
