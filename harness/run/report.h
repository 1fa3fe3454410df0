// What one run came to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/letter.h"
#include "harness/check/loss.h"
#include "harness/check/verdict.h"
#include "harness/kernel/kernel.h"

namespace holdfast {

// Why a run that broke nothing could not have said otherwise.
enum class Inconclusive : std::uint8_t {
  no,
  nothing_checked,   // what counts never came to be asked
  nobody_left,       // every client died, so nobody could find out whether the lock comes free
  fault_not_struck,  // a planned fault found no place
};
std::string_view to_sentence(Inconclusive why);

struct RunReport {
  Letter letter = Letter::safe;
  Inconclusive inconclusive = Inconclusive::no;
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
  Loss loss = Loss::none;                       // the worst, of holds that were lost
  std::vector<std::string_view> broken_claims;  // of what has no say in the letter: "fairness"
  // Added to the way of each message once the usual number of events was reached, so that time passes.
  Duration slowed_by{0};
  std::uint64_t commands = 0;     // calls that servers of the lock executed
  std::uint64_t marks = 0;        // a bit for each Mark that was reached
  std::vector<Verdict> verdicts;  // only when asked for

  // Broke nothing, and could not have.
  bool is_inconclusive() const {
    return inconclusive != Inconclusive::no && (letter == Letter::safe || letter == Letter::undecided);
  }
  // As it is told: what could not have said otherwise is not safe.
  Letter told_letter() const { return is_inconclusive() ? Letter::undecided : letter; }
};

}  // namespace holdfast
