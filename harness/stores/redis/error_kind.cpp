#include "harness/stores/redis/error_kind.h"

#include <algorithm>

namespace holdfast::redis {
namespace {

constexpr std::string_view arrow = " → ";

// "ERR" of "ERR no such key"; empty if the text does not begin as errors do: a code in capitals, then a
// sentence.
std::string_view code_of(std::string_view text) {
  const std::string_view word = text.substr(0, text.find(' '));
  const bool is_code = word.size() >= 2 && word.size() < text.size() &&
                       std::ranges::all_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
  return is_code ? word : std::string_view();
}

// What ended a script is said with the script and the line, by each release in its own place of the sentence.
bool tells_of_a_script(std::string_view text) {
  return text.find("script: ") != std::string_view::npos ||
         text.find("user_script") != std::string_view::npos;
}

}  // namespace

std::string with_errors_by_kind(std::string_view text) {
  const std::size_t at = text.rfind(arrow);
  const std::size_t begin = at == std::string_view::npos ? 0 : at + arrow.size();
  const std::string_view reply = text.substr(begin);
  const std::string_view code = code_of(reply);
  if (code.empty()) {
    return std::string(text);
  }
  std::string result(text.substr(0, begin));
  result += code;
  return tells_of_a_script(reply) ? result + " in a script" : result;
}

}  // namespace holdfast::redis
