// How much of the stream is on disk, by the server's appendfsync policy.
//
// every_second: the file is synced when the server's wall clock passes a whole second, with all that
// was written by then. So a crash loses what was written in the second in which it happens, and after
// the clock was set back nothing is synced until it has caught up, as on a real server. (A real
// server may sync a little earlier: with the first write of a second, if it has been idle. The model
// takes the later moment, which is the one that hurts.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "harness/stores/redis/append_only.h"

namespace holdfast::redis {

class AppendOnlyFile {
 public:
  explicit AppendOnlyFile(AppendOnly policy) : policy_(policy) {}

  AppendOnly policy() const { return policy_; }

  // Time has come to `wall_us`; `written_units` were written before.
  void advance(std::int64_t wall_us, std::size_t written_units) {
    if (policy_ != AppendOnly::every_second) return;
    const std::int64_t second = wall_us / 1'000'000;
    if (second <= synced_second_) return;
    synced_second_ = second;
    synced_units_ = written_units;
  }
  // A command has been carried out and is about to be answered.
  void written(std::size_t written_units) {
    if (policy_ == AppendOnly::always) synced_units_ = written_units;
  }
  // The stream starts over, holding `units` that are on disk.
  void restart(std::size_t units) { synced_units_ = units; }
  void reset() { *this = AppendOnlyFile(policy_); }

  std::size_t synced_units() const { return synced_units_; }

 private:
  AppendOnly policy_;
  std::size_t synced_units_ = 0;
  std::int64_t synced_second_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace holdfast::redis
