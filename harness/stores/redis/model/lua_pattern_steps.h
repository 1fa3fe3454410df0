// How many steps one of Lua's patterns takes on a text, by going them without a result.
//
// Lua's own functions cannot be interrupted while they match, and what a pattern could take at worst says
// little about what it takes: "^(%x+)-(%x+)-(%x+)$" on a UUID takes a hundred steps, and could take millions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace holdfast::redis {

enum class PatternUse : std::uint8_t {
  first_match,        // string.find, string.match
  all_matches,        // string.gsub
  all_without_anchor  // string.gmatch, to which ^ is a character like others
};

struct PatternLook {
  std::size_t begin = 0;              // of the text
  std::uint64_t steps_per_match = 0;  // on top of those that find it
  std::uint64_t most = 0;             // behind that it comes to an end: more are returned as most + 1
};

// A pattern that Lua refuses takes as many steps as there are up to the mistake.
std::uint64_t lua_pattern_steps(std::string_view text, std::string_view pattern, PatternUse use,
                                const PatternLook& look);

}  // namespace holdfast::redis
