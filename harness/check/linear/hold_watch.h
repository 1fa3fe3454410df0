// What clients believed about a lock, and how close it was.
//
// A hold runs from the ok of the acquire to the invocation of the release, whatever becomes of it, or to the
// moment the client ended. Unlike the fast checks this goes on after something broke: every overlap is
// counted, tokens are judged without regard to who held what, and a history that passes says by how much.
//
// Whose hold begins and ends, where that is not plain:
// - A grant to a client that already holds is re-entry where the lock allows it (also: shared upon shared). A
//   semaphore's client holds one permit more. Else the client takes it for a new hold and knows, at the
//   latest then, that the old one had ended: it does not overlap with itself.
// - A release by a client that holds nothing ends nothing, unless the lock has no owners. Then it is for an
//   acquire of the client's own whose outcome nobody knows, if there is one; else the client acts for
//   another one that has handed the lock over: the oldest hold ends.
// - Of several permits a release gives back the one the client has had for longest.
// - A grant that returns after its client ended begins no hold: the service may have let it go already.
//
// Tokens: a grant's token must be greater than every token that was returned before the acquire was invoked,
// and differ from the greatest one returned since, and from those of all open holds. (That two acquires which
// ran at once got the same smaller one, and one of them has let go, is not seen: memory is for what is open.)
// A nested grant may repeat the token of its own hold; a shared one may repeat any, if it is not less than
// what was returned before.
//
// Not thread-safe. Memory and time for an event depend on how much is open at once, not on what has passed.
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
  bool ownerless = false;     // anybody may release it
  bool counted = false;       // each grant is a hold of its own, also to the same client
  std::uint32_t permits = 1;  // that many exclusive holds may coexist; 1 if `shared`
};
HoldWatchRules hold_watch_rules(const AnyModel& model);

// Holds that may not coexist: permits + 1 of them, the latest last. If more were open, those before it are
// the ones that were granted first.
struct Overlap {
  std::vector<Session> sessions;
  std::int64_t from = no_time;  // the latest grant
  std::int64_t to = no_time;    // the first of them to end; no_time: none did, or times are missing
  std::uint64_t from_line = 0;
  std::uint64_t to_line = 0;  // 0: none ended
};

struct TokenFault {
  Session earlier;  // its token is not less than the later one's, or the same
  Session later;
};

// The least time from the end of one hold to the start of another client's next one, if these may not coexist
// and did not: a sooner grant would have been an overlap. With several permits, from the end of a hold when
// none was free to the next grant that takes the last one. Ends that nobody reported (see above) do not
// count.
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
  std::uint64_t grants = 0;    // nested ones, too
  std::uint64_t tokens = 0;    // that grants came with
  std::uint64_t overlaps = 0;  // grants that made one
  std::optional<Overlap> first_overlap;
  std::int64_t longest_overlap_ns = 0;
  std::uint64_t token_faults = 0;
  std::optional<TokenFault> first_token_fault;
  std::optional<Gap> smallest_gap;
  std::optional<LeaseMargin> smallest_lease_margin;
  // Nested grants pass nobody over, and try_acquire does not wait.
  std::uint64_t overtakings = 0;     // grants to a later request while an earlier one waited
  std::uint64_t most_overtaken = 0;  // how often a single request was passed over
  // Of releases that somebody waited for: how many waiters asked a server before the next grant. Known only
  // if the history says what servers carried out.
  std::uint64_t awaited_releases = 0;
  std::uint64_t wake_ups = 0;
  std::uint64_t most_wake_ups = 0;
};

// Sees the events of one key, in order, and the `ended` of all clients. Returns without a call are ignored:
// whether the history makes sense is for others to say.
class HoldWatch {
 public:
  explicit HoldWatch(HoldWatchRules rules, std::optional<std::int64_t> lease_ns = std::nullopt)
      : rules_(rules), lease_ns_(lease_ns) {}

  void observe(const CallEvent& event, Position position);
  // No more events: what is open stays open, and an overlap that goes on has no end.
  void finish() {}
  const HoldFindings& findings() const { return findings_; }

 private:
  struct Client {
    // The open call.
    bool is_open = false;
    bool ended = false;
    Action action = Action::acquire;
    Mode mode = Mode::exclusive;
    std::uint32_t perhaps = 0;  // acquires with unknown outcome
    Position invoked = 0;
    std::uint64_t line = 0;
    std::int64_t time = no_time;
    Session greatest;            // token returned before an acquire was invoked
    std::uint64_t woken_by = 0;  // the number of the release after which it asked
  };
  struct Hold {
    Session session;
    std::uint32_t depth = 1;
    bool overlaps = false;  // its grant made an overlap that goes on
    bool is_first_overlap = false;
  };
  struct OpenHold {
    ClientNumber client = 0;
    std::uint32_t slot = 0;  // of holds_
  };
  struct Waiter {
    Position invoked = 0;
    ClientNumber client = 0;
    std::uint32_t passed_over = 0;
  };
  struct End {
    ClientNumber client = 0;
    std::int64_t time = no_time;
    std::uint64_t line = 0;
  };
  // The last end of a hold, and the last one of another client.
  struct LastEnds {
    std::optional<End> latest;
    std::optional<End> of_another;
    void note(const End& end);
    const std::optional<End>& before(ClientNumber client) const;
  };

  void invoke(Client& client, const CallEvent& event, Position position);
  void finish_call(Client& client, const CallEvent& event, Position position);
  void end_client(Client& client, const CallEvent& event);
  void release(Client& client, const CallEvent& event);

  void grant(const Session& session, const CallEvent& event);
  void begin(const Session& session);
  void meet_overlap(Hold& hold);
  void measure_gap(const Session& session);
  void measure_margin(const Session& session, const CallEvent& release);
  void judge_token(const Client& client, const Session& session, const Session* own_hold);
  void pass_over_waiters(const Session& session);
  void leave_waiters(const Client& client);
  bool waits(const Client& client) const;
  void note_awaited_release();
  void note_asked(Client& client);

  void note_end(const Session& session, const CallEvent& event);
  void close_hold(std::size_t index, const CallEvent& event);
  void close_overlap(Hold& hold, const CallEvent& event);
  bool may_not_coexist(const Session& one, const Session& other) const;
  bool is_shared(const Session& session) const { return rules_.shared && session.mode == Mode::shared; }
  bool made_overlap_with(std::size_t earlier, std::size_t later) const;
  std::optional<std::size_t> oldest_hold_of(ClientNumber client) const;
  Hold& hold_at(std::size_t index) { return holds_[open_[index].slot]; }
  const Hold& hold_at(std::size_t index) const { return holds_[open_[index].slot]; }

  // Waiters that asked since the last release, until the next grant.
  bool is_release_open_ = false;
  std::uint64_t awake_ = 0;

  HoldWatchRules rules_;
  std::optional<std::int64_t> lease_ns_;
  HoldFindings findings_;
  std::vector<Client> clients_;
  std::vector<Hold> holds_;  // slots; those that open_ names are in use
  std::vector<std::uint32_t> free_slots_;
  std::vector<OpenHold> open_;  // in the order of their grants
  std::size_t exclusive_open_ = 0;
  std::size_t overlaps_open_ = 0;
  std::vector<Waiter> waiters_;  // in the order of their invocations
  Session greatest_;             // token returned so far
  LastEnds ends_;
  LastEnds exclusive_ends_;
};

}  // namespace holdfast::linear
