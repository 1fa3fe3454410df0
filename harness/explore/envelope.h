// The envelope of a lock: how far two quantities can go before it breaks.
//
// One quantity is swept in steps; for each of its values the border of the other is found between the last
// step at which the lock held and the first at which it did not, to the millisecond (or one part per
// million). The story is that of envelope_story.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/explore/envelope_story.h"

namespace holdfast {

struct EnvelopeRow {
  std::int64_t y = 0;
  std::vector<Letter> letters;  // by x
  // The largest x up to which the lock itself held, and the resource was safe (with tokens); -1: none. Of an
  // x of which more is safer: the least from which on.
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

// How far one quantity can go with one lease.
struct Border {
  const Quantity* quantity = nullptr;
  std::int64_t holds_up_to = -1;
  std::int64_t safe_up_to = -1;
  std::int64_t works_up_to = -1;    // beyond, nobody may get the lock
  std::int64_t searched_up_to = 0;  // two leases, or Quantity::most of what is no time
  std::uint64_t runs = 0;

  bool always_holds() const { return holds_up_to == searched_up_to; }
  bool always_safe() const { return safe_up_to == searched_up_to; }
};
Border find_border(Simulation& simulation, const LockEntry& lock, const Quantity& quantity,
                   std::int64_t ttl_ms);

// One paragraph: the largest pause, drift, jump and delay at which mutual exclusion still holds, and at which
// the resource is still safe. With the lock's own lease, unless another is given.
std::string certificate(Simulation& simulation, const LockEntry& lock,
                        std::optional<Duration> lease = std::nullopt);

}  // namespace holdfast
