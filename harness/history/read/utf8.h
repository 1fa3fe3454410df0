// UTF-8, as far as the readers need it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace holdfast {

// How many bytes the character at `at` takes; 0: it is not valid UTF-8. Reads on only while the bytes fit,
// so it stops at any byte below 0x80.
std::size_t utf8_length(const char* at);

// `point` must be a character: not a surrogate, at most 0x10ffff.
void append_utf8(std::string& text, std::uint32_t point);

}  // namespace holdfast
