// What clients believed about a lock, and how close it was.
//
// A hold runs from the ok of the acquire to the invocation of the release, whatever becomes of it, or to the
// moment the client ended. Unlike the fast checks this goes on after something broke: every overlap is
// counted, tokens are judged without regard to who held what, and a history that passes says by how much.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/check/linear/fast.h"

namespace holdfast::linear {

struct HoldWatchRules {
  bool is_lock = true;        // else nothing is watched
  bool reentrant = false;     // a client's acquires are counted; its hold ends with the last release
  bool shared = false;        // Mode::shared is heeded
  std::uint32_t permits = 1;  // that many exclusive holds may coexist
};
HoldWatchRules hold_watch_rules(const AnyModel& model);

// Holds that may not coexist: permits + 1 of them, the latest last.
struct Overlap {
  std::vector<Session> sessions;
  std::int64_t from = no_time;  // the latest grant
  std::int64_t to = no_time;    // the first of them to end; no_time: none did, or times are missing
  std::uint64_t from_line = 0;
  std::uint64_t to_line = 0;  // 0: none ended
};

struct TokenFault {
  Session earlier;  // granted, with its token, before the later acquire was invoked
  Session later;
};

// The least time from the end of one hold to the start of another client's next one.
struct Gap {
  std::int64_t nanoseconds = 0;
  ClientNumber from_client = 0;
  ClientNumber to_client = 0;
  std::uint64_t from_line = 0;
  std::uint64_t to_line = 0;
};

// The least time left of a lease when the holder let go, counted from the acquire's invocation.
struct LeaseMargin {
  std::int64_t nanoseconds = 0;  // negative: the hold outlived its lease
  Session session;
  std::uint64_t release_line = 0;
};

struct HoldFindings {
  std::uint64_t grants = 0;
  std::uint64_t overlaps = 0;  // grants that made one
  std::optional<Overlap> first_overlap;
  std::int64_t longest_overlap_ns = 0;
  std::uint64_t token_faults = 0;
  std::optional<TokenFault> first_token_fault;
  std::optional<Gap> smallest_gap;
  std::optional<LeaseMargin> smallest_lease_margin;
  std::uint64_t overtakings = 0;     // grants to a later request while an earlier one waited
  std::uint64_t most_overtaken = 0;  // how often a single request was passed over
};

class HoldWatch {
 public:
  explicit HoldWatch(HoldWatchRules rules, std::optional<std::int64_t> lease_ns = std::nullopt);
  void observe(const CallEvent& event, Position position);
  void finish();
  const HoldFindings& findings() const { return findings_; }

 private:
  HoldFindings findings_;
};

}  // namespace holdfast::linear
