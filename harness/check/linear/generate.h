// Random histories, for tests and benchmarks: small worlds of clients that call an object of a given model.
//
// The object is simulated with the model itself: each call takes effect at one instant between its invocation
// and its return, and gets an answer that is right there. Calls fail, time out (and then take effect late or
// never), are refused, never return; clients end while they hold, re-enter, and release what they do not
// hold. Then, with some probability, the history is corrupted: answers are changed or exchanged, events are
// moved, calls are lost. A corrupted history need not be illegal. The same options and seed give the same
// history.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/check/linear/models.h"
#include "harness/history/call.h"

namespace holdfast::linear {

// Probabilities are in thousandths; single histories have none of the trouble, or twice as much.
struct GenerateOptions {
  std::uint32_t clients_min = 1;
  std::uint32_t clients_max = 5;
  std::uint32_t calls_min = 4;
  std::uint32_t calls_max = 9;
  std::uint32_t values = 3;       // how many different ones are written
  std::uint32_t info = 60;        // of a call: nobody learns its outcome
  std::uint32_t fail = 30;        // of a call: it certainly did not happen
  std::uint32_t ended = 12;       // of a turn of a client: it ends
  std::uint32_t corrupted = 800;  // of a history
};

std::vector<CallEvent> generate_history(const AnyModel& model, const GenerateOptions& options,
                                        std::uint64_t seed);

}  // namespace holdfast::linear
