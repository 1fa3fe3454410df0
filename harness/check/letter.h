// The one-letter verdicts of the comparison matrix.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace holdfast {

// From best to worst: of several runs the worst letter stands. Undecided stands between what is known to be
// bounded and what is known to be worse: it may yet turn out to be either, and is neither S nor D.
enum class Letter : std::uint8_t {
  not_applicable,  // –
  safe,            // S
  stuck_bounded,   // L  nobody gets the lock for a while, then somebody does
  undecided,       // U  stopped before it was known, or what it was about never happened
  always_error,    // E  an operation of the lock never works
  stuck_for_ever,  // D
  fenced,          // F  two holders, but the token lets storage reject the stale one
  violated,        // V  two holders, and nothing protects the resource
};

// As they are told.
inline constexpr std::array letters_worst_first{
    Letter::violated,  Letter::fenced,        Letter::stuck_for_ever, Letter::always_error,
    Letter::undecided, Letter::stuck_bounded, Letter::safe,           Letter::not_applicable};

// How many runs have which letter, by its number.
using LetterCounts = std::array<std::uint64_t, letters_worst_first.size()>;

std::string_view to_text(Letter letter);      // "V"
std::string_view to_sentence(Letter letter);  // "two holders, and the resource is hurt"
std::optional<Letter> letter_from(std::string_view text);

}  // namespace holdfast
