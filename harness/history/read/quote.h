// A piece of somebody's file in a sentence: in quotes, one line of valid UTF-8, and short, whatever it was.
#pragma once

#include <string>
#include <string_view>

namespace holdfast {

std::string quote(std::string_view text);

// The same without the quotes: for a name that stands in a report.
std::string printable(std::string_view text, std::size_t most_bytes);

}  // namespace holdfast
