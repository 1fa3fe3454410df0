// Lock histories of any length, for benchmarks: made event by event, so that they take no memory.
//
// Clients go round and round: they ask for the lock, wait together with others, hold it and release it. Most
// grants come while others wait, and many before the release that made way has returned. The same options
// give the same history. It is linearizable unless a violation is asked for.
//
// Outcomes that nobody knows are those of a lock whose replies get lost:
// - an acquire was given up and never happened; or it was granted, and then the client either releases what
//   it may have, or dies, and the service lets go of its hold;
// - a release happened.
//
// Clients that poll do not wait: most of their attempts are refused, while somebody else holds the lock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/history/call.h"

namespace holdfast::linear {

struct LongHistoryOptions {
  std::uint32_t clients = 5;
  std::uint64_t operations = 10'000;  // an invoke and its return are one; the last few may be missing
  // After that many thousandths of the operations the lock is granted to a client while another holds it.
  std::optional<std::uint32_t> violation_at;
  std::uint32_t unknown = 0;  // thousandths of the operations
  bool tokens = false;
  bool polling = false;
  std::uint64_t seed = 1;
};

class LongHistory {
 public:
  explicit LongHistory(const LongHistoryOptions& options);

  // False: it is over.
  bool next(CallEvent& event);
  // Of the event that made it; nothing before it has come.
  std::optional<Position> violation() const { return violation_; }

 private:
  using Clients = std::vector<ClientNumber>;

  bool ask(CallEvent& event);
  bool answer(CallEvent& event);
  bool release(CallEvent& event);
  bool finish_release(CallEvent& event);
  bool die(CallEvent& event);
  bool refuse(CallEvent& event);
  void grant(CallEvent& event);
  void lose_answer(CallEvent& event);
  bool violates() const;
  Action asking() const { return options_.polling ? Action::try_acquire : Action::acquire; }

  std::uint64_t draw(std::uint64_t range);
  ClientNumber take_any(Clients& clients);
  bool outcome_is_lost() { return options_.unknown > 0 && draw(1000) < options_.unknown; }

  LongHistoryOptions options_;
  std::uint64_t random_;
  std::uint64_t planned_ = 0;  // operations invoked, and releases to come
  std::uint64_t events_ = 0;
  std::int64_t time_ = 0;
  std::int64_t token_ = 0;
  std::optional<ClientNumber> holder_;  // as the service sees it
  std::optional<Position> violation_;
  Clients idle_;
  Clients waiting_;
  Clients holding_;  // and those that may, for all they know
  Clients releasing_;
  Clients dying_;
};

// One line of JSON as harness/history/README.md describes it, with all the fields that a run writes.
void append_jsonl(std::string& text, const CallEvent& event);

}  // namespace holdfast::linear
