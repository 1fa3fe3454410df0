// The envelope of a lock: how far two quantities can go before it breaks.
//
// The scenario is always the same story: c1 takes the lock, something happens to it (or to its server) while
// it holds it, and c2 wants the lock all the time. One quantity is swept in steps; for each of its values the
// border of the other is found by bisection, to the millisecond (or one part per million). That takes for
// granted that more of a fault is never safer than less of it; where it is, the border found is one of
// several.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/scenario/simulation.h"

namespace holdfast {

struct Quantity {
  std::string_view name;  // pause, ttl, drift, jump, latency, work
  std::string_view unit;  // ms, or ppm
  std::string_view about;
  std::int64_t least = 0;
  std::int64_t most = 0;       // of a sweep, for a lease of 10 s
  std::int64_t otherwise = 0;  // its value while it is not swept
};
std::span<const Quantity> all_quantities();
// nullptr if there is none.
const Quantity* find_quantity(std::string_view name);

struct EnvelopeRow {
  std::int64_t y = 0;
  std::vector<Letter> letters;  // by x
  // The largest x at which the lock itself held, and at which the resource was safe (with tokens); -1: none.
  std::int64_t holds_up_to = -1;
  std::int64_t safe_up_to = -1;
};

struct Envelope {
  const LockEntry* lock = nullptr;
  const Quantity* x = nullptr;
  const Quantity* y = nullptr;
  std::vector<std::int64_t> xs;
  std::vector<EnvelopeRow> rows;
  std::uint64_t runs = 0;
};

Envelope find_envelope(Simulation& simulation, const LockEntry& lock, const Quantity& x, const Quantity& y,
                       std::size_t columns, std::size_t rows);

// How far one quantity can go with the lock's own lease.
struct Border {
  const Quantity* quantity = nullptr;
  std::int64_t holds_up_to = -1;
  std::int64_t safe_up_to = -1;
  std::int64_t searched_up_to = 0;  // two leases, or Quantity::most of what is no time
  bool always_holds = false;        // up to there
  bool always_safe = false;
};
Border find_border(Simulation& simulation, const LockEntry& lock, const Quantity& quantity,
                   std::int64_t ttl_ms, std::uint64_t& runs);

// One paragraph: the largest pause, drift, jump and delay at which mutual exclusion still holds, and at which
// the resource is still safe.
std::string certificate(Simulation& simulation, const LockEntry& lock);

}  // namespace holdfast
