#include "locks/redis/redisson/names.h"

#include <fmt/format.h>

namespace holdfast::redisson {

std::string braced_name(std::string_view key) {
  return key.find('{') == std::string_view::npos ? fmt::format("{{{}}}", key) : std::string(key);
}

std::string holder_name(const Env& env, std::uint32_t thread) {
  return fmt::format("{}:{}", env.process_name(), thread);
}

std::string prefix_name(std::string_view prefix, std::string_view key) {
  return fmt::format("{}:{}", prefix, braced_name(key));
}

std::string suffix_name(std::string_view key, std::string_view suffix) {
  return fmt::format("{}:{}", braced_name(key), suffix);
}

}  // namespace holdfast::redisson
