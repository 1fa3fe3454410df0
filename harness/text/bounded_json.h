// JSON from a file that anybody may have written: nested within reason, and with objects of a reasonable
// number of keys. nlohmann's ordered objects look through all keys for each one that is added, and printing
// one calls itself for each level, so 60,000 keys would take seconds and 100,000 brackets the whole stack.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace holdfast {

inline constexpr std::size_t most_json_keys = 1000;
inline constexpr std::size_t deepest_json = 64;

// Nothing if it is no JSON, or beyond that.
template <class Json>
std::optional<Json> parse_bounded_json(std::string_view text) {
  struct BeyondReason {};
  std::vector<std::size_t> keys_so_far;  // of each value that is open; an array has none
  const auto look = [&](int, typename Json::parse_event_t event, Json&) {
    using Kind = typename Json::parse_event_t;
    if (event == Kind::object_start || event == Kind::array_start) {
      keys_so_far.push_back(0);
    } else if (event == Kind::object_end || event == Kind::array_end) {
      keys_so_far.pop_back();
    }
    if (keys_so_far.size() > deepest_json || (event == Kind::key && ++keys_so_far.back() > most_json_keys)) {
      throw BeyondReason{};
    }
    return true;
  };
  try {
    return Json::parse(text, look);
  } catch (const typename Json::exception&) {
    return std::nullopt;
  } catch (const BeyondReason&) {
    return std::nullopt;
  }
}

}  // namespace holdfast
