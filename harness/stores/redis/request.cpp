#include "harness/stores/redis/request.h"

#include <cstddef>

#include "harness/stores/node.h"

namespace holdfast::redis {
namespace {

constexpr std::size_t longest_word = 40;

// A script is one long word of many lines: show the start of its first line.
std::string shortened(std::string_view word) {
  const std::size_t start = word.find_first_not_of(" \n\t");
  if (start == std::string_view::npos) {
    return "''";
  }
  word.remove_prefix(start);
  const std::size_t line_end = word.find('\n');
  const std::string_view line = word.substr(0, line_end);
  if (line.size() == word.size() && line.size() <= longest_word) {
    return std::string(line);
  }
  return std::string(line.substr(0, longest_word - 1)) + "…";
}

}  // namespace

std::string_view call_name(const Request& request) {
  return request.command.empty() ? std::string_view("(empty)") : std::string_view(request.command.front());
}

std::string to_text(const Request& request) {
  std::string text;
  for (const std::string& word : request.command) {
    if (!text.empty()) {
      text += ' ';
    }
    text += shortened(word);
  }
  return text;
}

std::uint64_t digest(const Request& request) {
  std::uint64_t hash = place_of(request.connection);
  for (const std::string& word : request.command) {
    hash = hash * 31 + quick_hash(word);
  }
  return hash;
}

std::uint64_t digest(const Reply& reply) {
  std::uint64_t hash = static_cast<std::uint64_t>(reply.kind) * 31 + static_cast<std::uint64_t>(reply.number);
  hash = hash * 31 + quick_hash(reply.text);
  for (const Reply& element : reply.elements) {
    hash = hash * 31 + digest(element);
  }
  return hash;
}

}  // namespace holdfast::redis
