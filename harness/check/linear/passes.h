// How check_history.h goes through a history: a first pass with the fast checks, a second one for the keys
// that these refer to a search, and a third one that keeps the events of those that really need it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/linear/check_history.h"
#include "harness/check/linear/fast.h"
#include "harness/check/linear/fault_spans.h"
#include "harness/check/linear/hold_watch.h"
#include "harness/check/linear/key_clients.h"
#include "harness/check/linear/stream_check.h"
#include "harness/history/read/history_consumer.h"

namespace holdfast::linear {

// One key while its events pass by.
struct KeyInProgress {
  explicit KeyInProgress(const CheckOptions& options)
      : standard(make_fast_check(options.model)), watch(hold_watch_rules(options.model), options.lease_ns) {}

  KeyClients clients;
  std::unique_ptr<FastCheck> standard;
  // Other readings of a release, from the first one that they read otherwise.
  std::unique_ptr<FastCheck> failed_ends;
  std::unique_ptr<FastCheck> unknown_does_nothing;
  HoldWatch watch;
  std::uint64_t calls = 0;
  std::uint32_t actions = 0;  // one bit for each that was called
  // The first call that is like this model's, and is none of them.
  std::optional<Action> foreign;
  std::uint64_t foreign_line = 0;

  bool needs_search() const {
    return standard == nullptr || standard->verdict().answer == FastAnswer::search;
  }
};

class FirstPass final : public HistoryConsumer {
 public:
  explicit FirstPass(const CheckOptions& options) : options_(options) {}

  void on_call(const CallEvent& read) override;
  void on_fault(const FaultEvent& event) override { faults.add(event); }
  void finish();

  std::vector<KeyInProgress>& keys() { return keys_; }
  FaultSpans faults;
  TimeFaults times;

 private:
  void observe_time(const CallEvent& event);
  static void observe(KeyInProgress& key, const CallEvent& event, Position position);

  const CheckOptions& options_;
  std::vector<KeyInProgress> keys_;
  Position position_ = 0;
  std::int64_t last_time_ = no_time;
  std::uint64_t last_line_ = 0;
};

// What a key needs of a later pass.
struct LaterPass {
  const KeyClients* clients = nullptr;
  std::unique_ptr<StreamCheck> standard;  // nothing: its events are kept
  std::unique_ptr<StreamCheck> failed_ends;
  std::unique_ptr<StreamCheck> unknown_does_nothing;
  std::vector<CallEvent> events;
};

class LaterPasses final : public HistoryConsumer {
 public:
  explicit LaterPasses(const CheckOptions& options) : options_(options) {}

  void on_call(const CallEvent& read) override;

  std::map<KeyNumber, LaterPass> keys;
  bool is_full = false;
  bool is_stopped = false;

 private:
  void observe(LaterPass& key, const CallEvent& event);

  const CheckOptions& options_;
  Position position_ = 0;
  std::size_t kept_ = 0;
};

// Keeps what comes by of a source that can be read only once, as far as there is room.
class Keeper final : public HistoryConsumer {
 public:
  Keeper(HistoryConsumer& next, std::size_t bytes_max)
      : next_(next), events_max_(bytes_max / sizeof(CallEvent)) {}

  void on_call(const CallEvent& event) override {
    next_.on_call(event);
    if (is_full_ || event.type == CallEventType::asked) {
      return;
    }
    is_full_ = events_.size() >= events_max_;
    if (is_full_) {
      events_ = {};
    } else {
      events_.push_back(event);
    }
  }
  void on_fault(const FaultEvent& event) override { next_.on_fault(event); }

  bool is_full() const { return is_full_; }
  void replay(HistoryConsumer& consumer) const {
    for (const CallEvent& event : events_) {
      consumer.on_call(event);
    }
  }

 private:
  HistoryConsumer& next_;
  std::size_t events_max_;
  std::deque<CallEvent> events_;  // no copies while it grows
  bool is_full_ = false;
};

}  // namespace holdfast::linear
