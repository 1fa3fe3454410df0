#include "harness/text/bad_input.h"

#include <fmt/format.h>

#include "harness/text/suggest.h"
#include "harness/text/text_width.h"

namespace holdfast {

BadInput unknown_word(std::string_view what, std::string_view word, const std::vector<std::string>& known,
                      std::string_view where_listed) {
  constexpr std::size_t longest_echo = 60;
  return BadInput(fmt::format("there is no {} \"{}\"{} (\"{}\" shows all)", what,
                              shortened(printable(word), longest_echo), did_you_mean_text(word, known),
                              where_listed));
}

}  // namespace holdfast
