#include "harness/fuzz/mutator.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace holdfast::fuzz {
namespace {

// What parsers stumble over.
constexpr std::array<std::string_view, 34> spices = {"\"",
                                                     "\\",
                                                     "\\u",
                                                     "\\ud800",
                                                     "\\udc00",
                                                     "{",
                                                     "}",
                                                     "[",
                                                     "]",
                                                     "(",
                                                     ")",
                                                     "#{",
                                                     "#_",
                                                     "#tag ",
                                                     "##",
                                                     ":",
                                                     ",",
                                                     ";",
                                                     "\n",
                                                     "\r\n",
                                                     "null",
                                                     "nil",
                                                     "true",
                                                     "-",
                                                     "0",
                                                     "1e9",
                                                     "1/3",
                                                     "99999999999999999999",
                                                     "-9223372036854775808",
                                                     "9223372036854775807",
                                                     "\xff",
                                                     "\xed\xa0\x80",
                                                     "é→",
                                                     "\x1f\x8b"};

}  // namespace

Mutator::Mutator(std::vector<std::string> corpus, std::size_t most_bytes, std::uint64_t seed)
    : corpus_(std::move(corpus)), most_bytes_(most_bytes), numbers_(seed) {}

std::string Mutator::next() {
  std::string text = piece();
  for (std::size_t count = numbers_.below(6) + 1; count > 0; --count) {
    mutate(text);
  }
  text.resize(std::min(text.size(), most_bytes_));
  return text;
}

// A file of the corpus, or as much of it as fits, most often from its start.
std::string Mutator::piece() {
  const std::string& file = corpus_[numbers_.below(corpus_.size())];
  const std::size_t start =
      file.size() > most_bytes_ && numbers_.below(3) == 0 ? numbers_.below(file.size()) : 0;
  return file.substr(start, most_bytes_);
}

void Mutator::mutate(std::string& text) {
  const std::size_t at = numbers_.below(text.size() + 1);
  const std::size_t length = numbers_.below(numbers_.below(4) == 0 ? 200 : 8);
  switch (numbers_.below(8)) {
    case 0:
      if (at < text.size()) {
        text[at] = static_cast<char>(text[at] ^ (1 << numbers_.below(8)));
      }
      return;
    case 1:
      if (at < text.size()) {
        text[at] = static_cast<char>(numbers_.below(256));
      }
      return;
    case 2:
    case 3:
      text.insert(at, spices[numbers_.below(spices.size())]);
      return;
    case 4:
      text.erase(at, length);
      return;
    case 5:
      text.insert(at, text.substr(numbers_.below(text.size() + 1), length));
      return;
    case 6:
      text.insert(at, piece().substr(0, length * 4));
      return;
    default:
      if (numbers_.below(4) == 0) {
        text.resize(at);
      } else {
        text.replace(at, std::min(length, text.size() - at), spices[numbers_.below(spices.size())]);
      }
  }
}

}  // namespace holdfast::fuzz
