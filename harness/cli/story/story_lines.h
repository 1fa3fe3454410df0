// Which events of a history matter to a reader, in words: the content of a story, without its layout.
//
// Left out: what another line says already (the ok of a write that storage reports), and what repeats. A
// client that asks again and again gets the first of its attempts in full and one line that counts the
// others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/check/verdict.h"
#include "harness/history/history.h"

namespace holdfast::cli {

enum class Tone : std::uint8_t { plain, good, bad, fault, quiet };

struct StoryLine {
  std::size_t event = 0;  // index of the event it tells
  ProcessId process{};    // in whose column it stands
  std::uint32_t thread = 0;
  std::string text;
  Tone tone = Tone::plain;
  bool witness = false;  // it is part of what shows a violation
};

// In the order of the history.
std::vector<StoryLine> story_lines(const History& history, const std::vector<Verdict>& verdicts);

}  // namespace holdfast::cli
