#include "harness/history/read/utf8.h"

namespace holdfast {
namespace {

bool between(const char* at, unsigned low, unsigned high) {
  const auto byte = static_cast<unsigned char>(*at);
  return byte >= low && byte <= high;
}

bool continues(const char* at) {
  return between(at, 0x80, 0xbf);
}

}  // namespace

// The table of well-formed sequences in the Unicode standard: overlong forms and surrogates show in the
// second byte.
std::size_t utf8_length(const char* at) {
  const auto first = static_cast<unsigned char>(*at);
  if (first < 0x80) {
    return 1;
  }
  if (first >= 0xc2 && first <= 0xdf) {
    return continues(at + 1) ? 2 : 0;
  }
  if (first >= 0xe0 && first <= 0xef) {
    const bool second = between(at + 1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf);
    return second && continues(at + 2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool second = between(at + 1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf);
    return second && continues(at + 2) && continues(at + 3) ? 4 : 0;
  }
  return 0;
}

void append_utf8(std::string& text, std::uint32_t point) {
  const auto add = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (point < 0x80) {
    add(point);
  } else if (point < 0x800) {
    add(0xc0U | (point >> 6U));
    add(0x80U | (point & 0x3fU));
  } else if (point < 0x10000) {
    add(0xe0U | (point >> 12U));
    add(0x80U | ((point >> 6U) & 0x3fU));
    add(0x80U | (point & 0x3fU));
  } else {
    add(0xf0U | (point >> 18U));
    add(0x80U | ((point >> 12U) & 0x3fU));
    add(0x80U | ((point >> 6U) & 0x3fU));
    add(0x80U | (point & 0x3fU));
  }
}

}  // namespace holdfast
