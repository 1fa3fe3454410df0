#include "harness/stores/redis/server/info.h"

#include <charconv>

namespace holdfast::live {

std::string_view info_field(std::string_view info, std::string_view name) {
  while (!info.empty()) {
    const std::size_t end = info.find('\n');
    const std::string_view line = info.substr(0, end);
    if (line.size() > name.size() && line.starts_with(name) && line[name.size()] == ':') {
      const std::string_view value = line.substr(name.size() + 1);
      return value.substr(0, value.find('\r'));
    }
    info = end == std::string_view::npos ? std::string_view() : info.substr(end + 1);
  }
  return {};
}

std::int64_t info_number(std::string_view info, std::string_view name) {
  const std::string_view digits = info_field(info, name);
  std::int64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

}  // namespace holdfast::live
