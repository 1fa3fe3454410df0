// Checks a whole history, key by key: fast where there is a fast check, by search where there must be one.
//
// The one thing to include for checking a history of your own (README, "Check a history of your own"):
//
//     holdfast::linear::CheckOptions options;
//     options.model = std::get<holdfast::linear::AnyModel>(holdfast::linear::parse_model("owner-mutex"));
//     const auto report = holdfast::linear::check_file("history.jsonl", options);
//
// Two questions are kept apart: whether the *service* is linearizable as the model, and whether two clients
// *believed* to hold the lock at once. The second is asked of locks only.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "harness/check/linear/fast.h"
#include "harness/check/linear/general.h"
#include "harness/check/linear/hold_watch.h"
#include "harness/check/linear/minimal.h"
#include "harness/check/linear/models.h"
#include "harness/history/call.h"
#include "harness/history/read/read_history.h"

namespace holdfast::linear {

struct CheckOptions {
  AnyModel model = OwnerMutex{};
  Limits limits;                   // of all searches together; without `stop` they have a minute
  std::optional<std::string> key;  // judge this one only
  HistoryFormat format = HistoryFormat::automatic;
  KeyMode key_mode = KeyMode::automatic;
  std::optional<std::int64_t> lease_ns;  // how long a grant is good for, if it is not renewed
  bool nil_is_unknown = false;           // a read that answers nil says nothing
};

enum class Method : std::uint8_t { one_pass, search };

// A fault that was at work while something happened.
struct FaultSpan {
  std::string process;
  std::string text;
  std::int64_t from = no_time;
  std::int64_t to = no_time;  // no_time: it did not end
};

struct KeyReport {
  std::string key;
  std::uint64_t calls = 0;
  Answer service = Answer::linearizable;
  Method method = Method::one_pass;
  FastVerdict fast;           // one pass
  std::vector<Call> prefix;   // search, violated: the longest part that can be explained, in its order
  std::vector<Call> witness;  // search, violated: the calls that cannot be explained together
  bool witness_is_minimal = true;
  std::string reason;  // unknown: why
  // The answer if releases are read otherwise, where it is another one.
  std::optional<Answer> if_failed_releases_ended_the_hold;
  std::optional<Answer> if_unknown_releases_did_nothing;
  HoldFindings holds;             // what clients believed; of a model that is no lock all is empty
  std::vector<FaultSpan> faults;  // that span the overlap of believed holds, or else the violation
};

// Times that contradict the order of the events, which is what counts.
struct TimeFaults {
  std::uint64_t count = 0;
  // Of the first one.
  std::uint64_t line = 0;
  std::uint64_t line_before = 0;  // its time is later
  std::int64_t by = 0;            // nanoseconds
};

struct CheckReport {
  AnyModel model;
  HistorySummary summary;  // the names of clients, keys and values
  std::vector<KeyReport> keys;
  TimeFaults times;
  std::vector<Action> other_actions;  // that were called, and are none of the model's

  // The worst over all keys; violated before unknown.
  Answer service() const;
  bool believed_at_once() const;
};

// The report, or one sentence that says what is wrong with the file. What is no file but a pipe is read once
// and kept, in half of the memory that a search may take; what is longer and needs a search stays unknown.
std::variant<CheckReport, std::string> check_file(const std::string& path, const CheckOptions& options);
// Of a source that is already open. It is read only once and not kept, however long it is, so what needs a
// search stays unknown.
std::variant<CheckReport, std::string> check_source(Source& source, const CheckOptions& options);
// Of events in memory, in order. Names are numbers unless `names` has them.
std::variant<CheckReport, std::string> check_events(std::span<const CallEvent> events,
                                                    const CheckOptions& options,
                                                    const HistorySummary& names = {});

}  // namespace holdfast::linear
