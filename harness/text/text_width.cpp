#include "harness/text/text_width.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace holdfast {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

constexpr std::array<Range, 5> zero_width{
    {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}}};
constexpr std::array<Range, 10> double_width{{{0x1100, 0x115F},
                                              {0x2E80, 0xA4CF},
                                              {0xAC00, 0xD7A3},
                                              {0xF900, 0xFAFF},
                                              {0xFE30, 0xFE6F},
                                              {0xFF00, 0xFF60},
                                              {0xFFE0, 0xFFE6},
                                              {0x1F300, 0x1F64F},
                                              {0x1F900, 0x1F9FF},
                                              {0x20000, 0x3FFFD}}};

// They turn the direction of what follows, so that a text reads otherwise than it is; or end the line.
constexpr std::array<Range, 5> misleading{
    {{0x061C, 0x061C}, {0x200E, 0x200F}, {0x2028, 0x2029}, {0x202A, 0x202E}, {0x2066, 0x2069}}};

template <std::size_t Size>
bool is_in(char32_t code, const std::array<Range, Size>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [code](const Range& range) { return range.first <= code && code <= range.last; });
}

struct Character {
  char32_t code = 0xFFFD;
  std::size_t bytes = 1;
  bool valid = false;

  std::size_t width() const { return is_in(code, zero_width) ? 0 : is_in(code, double_width) ? 2 : 1; }
};

// The character at the start of a text that is not empty.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
  if (byte(0) < 0x80) {
    return {byte(0), 1, true};
  }
  const std::size_t bytes = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < bytes) {
    return {};
  }
  char32_t code = byte(0) & (0xFFU >> (bytes + 1));
  for (std::size_t index = 1; index < bytes; ++index) {
    if ((byte(index) & 0xC0U) != 0x80U) {
      return {};
    }
    code = (code << 6) | (byte(index) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < least[bytes] || code > 0x10FFFF || surrogate) {
    return {};
  }
  return {code, bytes, true};
}

// How many bytes from the start fit into `width` columns.
std::size_t bytes_that_fit(std::string_view text, std::size_t width) {
  std::size_t bytes = 0;
  std::size_t columns = 0;
  while (bytes < text.size()) {
    const Character next = first_character(text.substr(bytes));
    columns += next.width();
    if (columns > width) {
      break;
    }
    bytes += next.bytes;
  }
  return bytes;
}

// Where to break: after as many whole words as fit, else in the middle of the first word.
std::size_t line_break(std::string_view text, std::size_t width) {
  const std::size_t fits = bytes_that_fit(text, width);
  if (fits == text.size() || text[fits] == ' ') {
    return fits;
  }
  const std::size_t space = text.substr(0, fits).rfind(' ');
  if (space != std::string_view::npos && space > 0) {
    return space;
  }
  return std::max(fits, first_character(text).bytes);  // something must go, or it would never end
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Character next = first_character(text);
    columns += next.width();
    text.remove_prefix(next.bytes);
  }
  return columns;
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character next = first_character(text);
    const bool control =
        next.code < 0x20 || (next.code >= 0x7F && next.code < 0xA0) || is_in(next.code, misleading);
    if (!next.valid) {
      result += "\uFFFD";
    } else if (control) {
      result += ' ';
    } else {
      result += text.substr(0, next.bytes);
    }
    text.remove_prefix(next.bytes);
  }
  return result;
}

std::string padded_right(std::string_view text, std::size_t width) {
  const std::size_t columns = display_width(text);
  return std::string(text) + std::string(width > columns ? width - columns : 0, ' ');
}

std::string shortened(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) {
    return std::string(text);
  }
  if (width == 0) {
    return {};
  }
  std::string_view kept = text.substr(0, bytes_that_fit(text, width - 1));
  while (kept.ends_with(' ')) {
    kept.remove_suffix(1);
  }
  return std::string(kept) + "…";
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::size_t lines_max) {
  std::vector<std::string> lines;
  std::string indent;
  while (lines.size() + 1 < lines_max && display_width(text) + indent.size() > width) {
    const std::size_t cut = line_break(text, width - indent.size());
    lines.push_back(indent + std::string(text.substr(0, cut)));
    text.remove_prefix(cut);
    while (text.starts_with(' ')) {
      text.remove_prefix(1);
    }
    indent = width > 8 ? "  " : "";
  }
  lines.push_back(indent + shortened(text, width - std::min(width, indent.size())));
  return lines;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace holdfast
