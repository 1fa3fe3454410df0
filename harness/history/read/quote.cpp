#include "harness/history/read/quote.h"

#include "harness/history/read/utf8.h"

namespace holdfast {

std::string quote(std::string_view text) {
  return '"' + printable(text, 60) + '"';
}

std::string printable(std::string_view text, std::size_t most_bytes) {
  const std::string copy(text);  // utf8_length() relies on the zero at the end
  std::string result;
  for (std::size_t index = 0; index < copy.size();) {
    const std::size_t length = utf8_length(copy.data() + index);
    const auto byte = static_cast<unsigned char>(copy[index]);
    if (result.size() + length > most_bytes) {
      return result + "…";
    }
    if (length == 0 || byte < 0x20 || byte == 0x7f) {
      result += "\xef\xbf\xbd";  // the replacement character
      ++index;
    } else {
      result.append(copy, index, length);
      index += length;
    }
  }
  return result;
}

}  // namespace holdfast
