// Text on a terminal: how many columns it takes, and how it is cut, padded and wrapped to fit.
//
// Text is UTF-8. Widths follow Unicode's East Asian Width as far as this program's texts need it: combining
// marks take no column, CJK and emoji take two, everything else takes one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

std::size_t display_width(std::string_view text);

// "1 run", "2 runs"
std::string counted(std::uint64_t count, std::string_view noun);

// The text with what would disturb a terminal made harmless: control characters, and those
// that turn the direction of writing, become spaces, and bytes that are not UTF-8 become U+FFFD.
std::string printable(std::string_view text);

// Filled with spaces up to `width`; longer text stays as it is.
std::string padded_right(std::string_view text, std::size_t width);

// At most `width` columns, the last of them an ellipsis if something was cut off.
std::string shortened(std::string_view text, std::size_t width);

// Broken at spaces into at most `lines_max` lines of at most `width` columns; a word that is too long is
// broken anywhere, and what does not fit into the last line is cut off with an ellipsis. Lines after the
// first are indented by two columns if there is room for it. Never empty.
std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::size_t lines_max);

}  // namespace holdfast
