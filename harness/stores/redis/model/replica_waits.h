// What a primary knows of its replicas, and who waits for them (WAIT).
//
// A replica counts while it is connected. How far it has come it says when it is asked. A connection waits
// for what the server had written by the end of the last command of that connection, whoever wrote it; one
// that has said nothing yet counts as having just said hello.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/kernel/process.h"

namespace holdfast::redis {

class ReplicaWaits {
 public:
  struct Wait {
    ConnectionId connection = no_connection;
    std::int64_t offset = 0;
    std::int64_t wanted = 0;
    std::optional<std::int64_t> deadline_ms;  // of the server's wall clock
  };

  // A replica is connected, and has said that it has come so far.
  void attach(std::size_t member, std::int64_t offset) {
    detach(member);
    replicas_.push_back({member, offset});
  }
  void detach(std::size_t member) {
    std::erase_if(replicas_, [=](const Replica& replica) { return replica.member == member; });
  }
  bool is_attached(std::size_t member) const {
    return std::ranges::any_of(replicas_, [=](const Replica& replica) { return replica.member == member; });
  }
  void acknowledge(std::size_t member, std::int64_t offset) {
    for (Replica& replica : replicas_) {
      if (replica.member == member) replica.acknowledged = std::max(replica.acknowledged, offset);
    }
  }
  std::int64_t acknowledged_count(std::int64_t offset) const {
    return std::ranges::count_if(replicas_,
                                 [=](const Replica& replica) { return replica.acknowledged >= offset; });
  }

  // The connection is about to say something, while the server is at `offset`. Whether it is new.
  bool greet(ConnectionId connection, std::int64_t offset) {
    if (find(connection) != nullptr) return false;
    spoken_.push_back({connection, offset});
    return true;
  }
  // Its command has been carried out, and the server is at `offset` now.
  void spoke(ConnectionId connection, std::int64_t offset) {
    if (Spoken* const known = find(connection)) known->offset = offset;
  }
  std::int64_t offset_of(ConnectionId connection) const {
    const Spoken* const known = const_cast<ReplicaWaits*>(this)->find(connection);
    return known == nullptr ? 0 : known->offset;
  }

  bool is_anybody_blocked() const { return !waits_.empty(); }
  void block(const Wait& wait) { waits_.push_back(wait); }
  bool is_blocked(ConnectionId connection) const {
    return std::ranges::any_of(waits_, [=](const Wait& wait) { return wait.connection == connection; });
  }
  std::optional<std::int64_t> first_deadline_ms() const {
    std::optional<std::int64_t> first;
    for (const Wait& wait : waits_) {
      if (wait.deadline_ms && (!first || *wait.deadline_ms < *first)) first = wait.deadline_ms;
    }
    return first;
  }
  // One that has enough by now, or whose time is over; those that came first go first.
  std::optional<Wait> take_ended(std::int64_t now_ms) {
    const auto ended = std::ranges::find_if(waits_, [&](const Wait& wait) {
      return acknowledged_count(wait.offset) >= wait.wanted ||
             (wait.deadline_ms && *wait.deadline_ms < now_ms);
    });
    if (ended == waits_.end()) return std::nullopt;
    const Wait wait = *ended;
    waits_.erase(ended);
    return wait;
  }

  // The connection is gone.
  void forget(ConnectionId connection) {
    std::erase_if(waits_, [=](const Wait& wait) { return wait.connection == connection; });
    std::erase_if(spoken_, [=](const Spoken& each) { return each.connection == connection; });
  }
  void clear() {
    replicas_.clear();
    spoken_.clear();
    waits_.clear();
  }

 private:
  struct Replica {
    std::size_t member;
    std::int64_t acknowledged;
  };
  struct Spoken {
    ConnectionId connection;
    std::int64_t offset;
  };

  Spoken* find(ConnectionId connection) {
    const auto found = std::ranges::find(spoken_, connection, &Spoken::connection);
    return found == spoken_.end() ? nullptr : &*found;
  }

  std::vector<Replica> replicas_;
  std::vector<Spoken> spoken_;
  std::vector<Wait> waits_;  // in the order in which they came
};

}  // namespace holdfast::redis
