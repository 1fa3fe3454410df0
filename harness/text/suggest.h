// "Did you mean": the known word nearest to one that a person typed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace holdfast {

// The candidate that takes the fewest edits (a letter added, lost or changed, two neighbours swapped; case
// does not count), if those are few for its length; else the shortest candidate that contains the word.
// Among equals the earlier candidate wins, so the answer depends on the arguments alone.
std::optional<std::string> did_you_mean(std::string_view word, std::span<const std::string> candidates);

// `; did you mean "redis-px-cad"?`, or nothing: to be put at the end of a sentence.
std::string did_you_mean_text(std::string_view word, std::span<const std::string> candidates);

// "sending, arrived or applied"; with "and", "sending, arrived and applied".
std::string enumeration(std::span<const std::string> words, std::string_view last_joint = "or");

}  // namespace holdfast
