// What a redis-server says of itself: INFO, lines of name:value.
#pragma once

#include <cstdint>
#include <string_view>

namespace holdfast::live {

// Empty if there is no such name.
std::string_view info_field(std::string_view info, std::string_view name);
// 0 if there is none, or it is no number.
std::int64_t info_number(std::string_view info, std::string_view name);

}  // namespace holdfast::live
