// What one run came to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/letter.h"
#include "harness/check/verdict.h"
#include "harness/kernel/kernel.h"

namespace holdfast {

struct RunReport {
  Letter letter = Letter::safe;
  // What the letter says can be seen in this run: something came of a violation (an update was lost, a token
  // went back, a latch opened too early), a token had a stale write rejected. Of other letters it always can.
  bool shows_its_letter = true;
  RunEnd end = RunEnd::finished;
  Duration true_time{0};  // when it ended
  std::uint64_t events = 0;
  std::uint64_t fingerprint = 0;
  // Faults of the scenario (by index) whose step was never reached.
  std::vector<std::size_t> faults_not_struck;
  // The longest a waiter stood before a free lock, after faults had ended.
  Duration longest_wait{0};
  std::uint64_t grants = 0;
  std::uint64_t commands = 0;     // calls that servers of the lock executed
  std::uint64_t marks = 0;        // a bit for each Mark that was reached
  std::vector<Verdict> verdicts;  // only when asked for
};

}  // namespace holdfast
