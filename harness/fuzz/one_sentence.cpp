#include <algorithm>

#include "harness/fuzz/targets.h"
#include "harness/history/read/utf8.h"

namespace holdfast::fuzz {

void require_one_sentence(std::string_view sentence, std::string_view file) {
  const std::string text(sentence);
  if (!sentence.starts_with(file)) {
    throw Broken("a refusal that does not begin with the file's name: " + text);
  }
  const bool one_line = std::ranges::none_of(
      text, [](char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f; });
  if (!one_line) {
    throw Broken("a refusal with control characters: " + text);
  }
  for (std::size_t index = 0; index < text.size();) {
    const std::size_t length = utf8_length(text.c_str() + index);
    if (length == 0) {
      throw Broken("a refusal that is not UTF-8: " + text);
    }
    index += length;
  }
}

}  // namespace holdfast::fuzz
