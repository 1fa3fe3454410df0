// A Redis command as a list of words, the way it travels: SET lock c1 NX PX 10000.
//
// A value type. Built where the call is written (`command("SET", key, id, "NX", "PX", ttl_ms)`) and
// moved from there on. Words are binary-safe.
#pragma once

#include <boost/container/small_vector.hpp>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::redis {

// Most commands of a lock have at most eight words: those need no allocation for the list itself.
using Command = boost::container::small_vector<std::string, 8>;

inline void append_word(Command& command, std::string_view word) {
  command.emplace_back(word);
}
inline void append_word(Command& command, std::integral auto number) {
  command.emplace_back(std::to_string(number));
}

template <typename... Words>
Command make_command(const Words&... words) {
  Command command;
  (append_word(command, words), ...);
  return command;
}

}  // namespace holdfast::redis
