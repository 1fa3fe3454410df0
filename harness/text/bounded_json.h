// JSON from a file that anybody may have written: nested within reason, and with objects of a reasonable
// number of keys. nlohmann's ordered objects look through all keys for each one that is added, and printing
// one calls itself for each level, so 60,000 keys would take seconds and 100,000 brackets the whole stack.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace holdfast {

inline constexpr std::size_t most_json_keys = 1000;
inline constexpr std::size_t deepest_json = 64;

// Whether it stays within both; of what is no JSON either may be said.
bool is_bounded_json(std::string_view text);

// Nothing if it is no JSON, or beyond that. It is gone through twice: to look while it is made, nlohmann
// would go through all of an array for each object in it.
template <class Json>
std::optional<Json> parse_bounded_json(std::string_view text) {
  if (!is_bounded_json(text)) {
    return std::nullopt;
  }
  try {
    return Json::parse(text);
  } catch (const typename Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace holdfast
