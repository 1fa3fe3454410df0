// Checkers for locks that need no search: one pass over the events, memory for what is open only.
//
// Give each granted acquire a session, and call the time from the acquire's return to its release's
// invocation the session's core. Whatever the true instants were, a session held the lock throughout its
// core; and if the cores that are open together are always allowed to be, the history is linearizable: let
// each acquire take effect just before it returns, and each release just after it is invoked. So it suffices
// to look at cores.
//
// A fast check is exact or says so: a few rare patterns of unknown outcomes (a release that must stem from an
// acquire nobody knows of, next to refused attempts that need a holder) have no answer here but `search`, and
// go to the general checker. tests compare every other answer with it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/check/linear/models.h"
#include "harness/history/call.h"

namespace holdfast::linear {

enum class FastAnswer : std::uint8_t { linearizable, violated, search };

// How to read a release that did not simply succeed. The standard reading is {nothing, perhaps}.
enum class ReleaseReading : std::uint8_t {
  nothing,  // the hold goes on
  perhaps,  // the hold may have ended, at any time from the release's invocation on
};
struct Reading {
  ReleaseReading failed = ReleaseReading::nothing;
  ReleaseReading unknown = ReleaseReading::perhaps;
  friend bool operator==(const Reading&, const Reading&) = default;
};

// One hold, as far as it is known.
struct Session {
  ClientNumber client = 0;
  Mode mode = Mode::exclusive;
  std::optional<std::int64_t> token;
  Position acquire_invoked = 0;
  Position granted = 0;
  std::uint64_t acquire_line = 0;
  std::uint64_t grant_line = 0;
  std::int64_t acquire_time = no_time;
  std::int64_t grant_time = no_time;
};

enum class FastCause : std::uint8_t {
  none,
  overlap,        // sessions: those that may not coexist, the latest last
  granted_again,  // the holder was granted what it already held
  release_without_hold,
  release_refused,    // though the client held it
  token_not_greater,  // sessions: the one with the greater token, the later one
  token_changed,      // on re-entry
  overtaken,          // sessions: the one that was granted first, the one that had asked earlier
  refused_though_free,
  refused_to_holder,  // of a re-entrant lock
  too_many_releases,  // ownerless: nothing was taken
  too_many_grants,    // ownerless: nothing was free
  too_early,          // a latch opened before it was counted down
  still_closed,       // a latch kept a waiter though it was open
  unexplained,        // nothing that may have happened before leads to it
};

struct FastVerdict {
  FastAnswer answer = FastAnswer::linearizable;
  FastCause cause = FastCause::none;
  std::vector<Session> sessions;
  ClientNumber client = 0;  // whose event could not be explained
  std::uint64_t line = 0;
  Position position = 0;
  std::int64_t time = no_time;
  std::string problem;  // the history itself is wrong (a return without a call): one sentence
};

// Sees the events of one key, in order, and the `ended` of all clients, but no `asked`. Which call of a
// client is open, and whether the events fit together at all, is seen to here; what they mean is the checks'
// affair.
class FastCheck {
 public:
  FastCheck() = default;
  FastCheck(const FastCheck&) = default;
  FastCheck& operator=(const FastCheck&) = default;
  virtual ~FastCheck() = default;

  void observe(const CallEvent& event, Position position);
  // No more events: calls that are open never return.
  virtual void finish() {}
  virtual std::unique_ptr<FastCheck> clone() const = 0;
  // From now on; what was seen so far reads the same either way.
  virtual void set_reading(Reading) {}

  const FastVerdict& verdict() const { return verdict_; }
  bool decided() const { return verdict_.answer != FastAnswer::linearizable || !verdict_.problem.empty(); }

 protected:
  // The last call of a client.
  struct LastCall {
    bool is_open = false;
    bool ended = false;  // its client ended while it was open: its return may never come
    Action action = Action::acquire;
    Mode mode = Mode::exclusive;
    Position invoked = 0;
    std::uint64_t line = 0;
    std::int64_t time = no_time;
  };
  const LastCall& last_call(ClientNumber client) const { return calls_[client]; }

  // A client that was never heard of before; its number is the next one.
  virtual void on_new_client() = 0;
  virtual void on_invoke(const CallEvent& event, Position position) = 0;
  // The call is no longer open. Not called if the client had ended meanwhile: only a search can tell then.
  virtual void on_return(const CallEvent& event, Position position) = 0;
  // If it has a call open, that has been marked.
  virtual void on_ended(const CallEvent& event, Position position) = 0;

  // Once `made_a_choice_` is set, this refers to a search: another choice might have led further.
  void fail(FastCause cause, const CallEvent& event, Position position);
  void refer_to_search(const CallEvent& event, Position position);

  FastVerdict verdict_;
  bool made_a_choice_ = false;

 private:
  void reject(const CallEvent& event, Position position, std::string_view what);

  std::vector<LastCall> calls_;
  Position last_position_ = 0;
};

// Nothing if the model has no fast check.
std::unique_ptr<FastCheck> make_fast_check(const AnyModel& model, Reading reading = {});

}  // namespace holdfast::linear
