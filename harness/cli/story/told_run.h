// A run as it is told to the user: what was run, what came out, and whether that was expected.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/linear/explain.h"
#include "harness/cli/terminal/terminal.h"
#include "harness/explore/sweep.h"
#include "harness/run/simulation.h"

namespace holdfast::cli {

// Of a run in real time.
struct LiveSide {
  Letter sim = Letter::not_applicable;  // what `sim` says of the same run
  std::string servers;
  std::int64_t speed_up = 1;
  std::string why_slower;  // than usual; empty: it was not

  // One of the two told another story: neither is to be believed alone.
  bool agrees_with(Letter letter) const { return sim == letter; }
  // One of them could not tell.
  bool is_undecided_with(Letter letter) const {
    return sim == Letter::undecided || letter == Letter::undecided;
  }
};

struct ToldRun {
  const Scenario* scenario = nullptr;
  const LockEntry* lock = nullptr;
  std::uint64_t seed = 1;
  std::optional<Placement> placement;
  RunReport report;
  std::optional<Cell> sweep;  // the family that this run is the worst of
  std::optional<Letter> expected;
  std::string expectation_note;
  std::string replay_command;
  std::optional<bool> confirmed;  // by the real servers, if they were asked
  std::string confirmation;       // and what there is to say of it
  std::optional<LiveSide> live;
  std::string servers;  // real ones that answered on virtual time, "redis-server 7.0.15"; empty: models did
  std::vector<linear::Finding> service;  // besides the verdicts, which make the letter

  Letter letter() const { return sweep ? sweep->letter : report.told_letter(); }
  bool as_expected() const { return expected && *expected == letter(); }
};

// What was run and what it is about, before the picture.
std::string introduction(const ToldRun& run, const Terminal& terminal);
// The verdicts in words, the letter, the fingerprint and the command that replays it, after the picture.
std::string conclusion(const ToldRun& run, const Terminal& terminal);
// All of it for programs, without the picture.
std::string to_json_text(const ToldRun& run);

// "fault 1 (gc-pause on c1) never struck: c1 never came to the second applied SET"
std::string never_struck(const ToldRun& run, std::size_t fault);

// What the letter says; and of a run in which it cannot be seen, that it cannot.
std::string sentence_of(Letter letter, bool shows_its_letter);

// Red for V, green for S, and so on.
Color color_of(Letter letter);

}  // namespace holdfast::cli
