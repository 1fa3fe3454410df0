#include "harness/check/letter.h"

#include <array>

namespace holdfast {
namespace {

struct Row {
  Letter letter;
  std::string_view text;
  std::string_view sentence;
};

constexpr std::array<Row, letters_worst_first.size()> rows{{
    {Letter::not_applicable, "–", "not applicable"},
    {Letter::safe, "S", "safe: one holder at a time, and the lock comes free again at once"},
    {Letter::stuck_bounded, "L",
     "stuck for a while: nobody holds the lock, yet nobody gets it until it expires"},
    {Letter::undecided, "U",
     "undecided: stopped before it was known whether the lock comes free, or what it was about never "
     "happened"},
    {Letter::always_error, "E", "always an error: an operation of the lock never works"},
    {Letter::stuck_for_ever, "D", "stuck for ever: nobody holds the lock and nobody will ever get it"},
    {Letter::fenced, "F", "two holders, but the fencing token lets storage reject the stale one"},
    {Letter::violated, "V", "violated: two holders, and the resource is not protected"},
}};

}  // namespace

std::string_view to_text(Letter letter) {
  return rows.at(static_cast<std::size_t>(letter)).text;
}

std::string_view to_sentence(Letter letter) {
  return rows.at(static_cast<std::size_t>(letter)).sentence;
}

std::optional<Letter> letter_from(std::string_view text) {
  for (const Row& row : rows) {
    if (row.text == text) {
      return row.letter;
    }
  }
  return text == "-" ? std::optional(Letter::not_applicable) : std::nullopt;
}

}  // namespace holdfast
