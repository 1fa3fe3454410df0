// A run of `sim` once more with real servers, and whether they did the same.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/run/simulation.h"

namespace holdfast {

struct Confirmation {
  bool is_confirmed = false;
  std::string server;      // "redis-server 7.0.15"
  std::string difference;  // where they part, if they do
  std::string
      other_words;  // an error that the server words otherwise, though it is of the same kind; else empty
  // The history is the same, and yet something happened that no history tells: servers spoke among themselves
  // more often, or at other times. What is confirmed is the history.
  bool differs_unseen = false;
  std::size_t events = 0;  // that were the same
  RunReport modelled;      // what came out with the models
  RunReport real;          // and with the real servers
  double real_seconds = 0;
};

// What is compared of a run: every event, as it is and with its errors by their kind alone.
struct RunLines {
  std::vector<std::string> exact;
  std::vector<std::string> by_kind;
};
// Fills in what follows from both reports, which it has, and from both runs' lines.
void compare(Confirmation& confirmation, const RunLines& modelled, const RunLines& real);

class Confirmer {
 public:
  // `real` are the servers to ask, and must live as long.
  explicit Confirmer(RealServerSet& real) : real_(real), warp_(&real) {}

  // Whether the lock runs on servers of which there are real ones.
  bool can_ask_about(const LockEntry& lock) { return real_.of(store_called(lock.needs.store)) != nullptr; }
  // `strategy` makes the choices of each of the two runs; none: the seed does. Throws BadInput if there is
  // nobody to ask, and what trouble with the servers throws.
  Confirmation confirm(RunRequest request, const std::function<std::unique_ptr<Strategy>()>& strategy);

 private:
  RealServerSet& real_;
  Simulation sim_;
  Simulation warp_;
};

// One paragraph: confirmed on what, or not and where they part.
std::string to_text(const Confirmation& confirmation);
// One sentence, the same every time: without how long it took.
std::string to_sentence(const Confirmation& confirmation);

}  // namespace holdfast
