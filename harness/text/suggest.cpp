#include "harness/text/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace holdfast {
namespace {

// Longer words are not typing errors, and the table below is quadratic.
constexpr std::size_t longest_word = 64;
constexpr std::size_t shortest_part = 3;

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return lower;
}

// Optimal string alignment: the Levenshtein distance in which swapping two neighbours is one edit.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> cost((a.size() + 1) * width);
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      std::size_t& here = cost[i * width + j];
      if (i == 0 || j == 0) {
        here = i + j;
        continue;
      }
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      here = std::min({cost[(i - 1) * width + j] + 1, cost[i * width + j - 1] + 1,
                       cost[(i - 1) * width + j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        here = std::min(here, cost[(i - 2) * width + j - 2] + 1);
      }
    }
  }
  return cost.back();
}

std::size_t edits_allowed(std::string_view word, std::string_view candidate) {
  return std::max<std::size_t>(1, std::min(word.size(), candidate.size()) / 3);
}

}  // namespace

std::optional<std::string> did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  if (word.empty() || word.size() > longest_word) {
    return std::nullopt;
  }
  const std::string typed = in_lower_case(word);
  const std::string* nearest = nullptr;
  const std::string* shortest_containing = nullptr;
  std::size_t least_edits = 0;
  for (const std::string& candidate : candidates) {
    const std::string known = in_lower_case(candidate);
    const std::size_t edits = edit_distance(typed, known);
    // To change every letter is to write another word.
    const bool close = edits <= edits_allowed(typed, known) && edits < std::max(typed.size(), known.size());
    if (close && (nearest == nullptr || edits < least_edits)) {
      nearest = &candidate;
      least_edits = edits;
    }
    const bool contains = typed.size() >= shortest_part && known.find(typed) != std::string::npos;
    if (contains && (shortest_containing == nullptr || candidate.size() < shortest_containing->size())) {
      shortest_containing = &candidate;
    }
  }
  const std::string* best = nearest != nullptr ? nearest : shortest_containing;
  return best == nullptr ? std::nullopt : std::optional(*best);
}

std::string did_you_mean_text(std::string_view word, std::span<const std::string> candidates) {
  const std::optional<std::string> meant = did_you_mean(word, candidates);
  return meant ? fmt::format("; did you mean \"{}\"?", *meant) : std::string();
}

std::string enumeration(std::span<const std::string> words, std::string_view last_joint) {
  std::string text;
  for (std::size_t index = 0; index < words.size(); ++index) {
    if (index > 0) {
      text += index + 1 == words.size() ? fmt::format(" {} ", last_joint) : ", ";
    }
    text += words[index];
  }
  return text;
}

}  // namespace holdfast
