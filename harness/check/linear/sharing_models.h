// Models of what several clients hold at a time, or wait for together: read-write lock, semaphore, latch.
#pragma once

#include <algorithm>
#include <vector>

#include "harness/check/linear/lock_models.h"

namespace holdfast::linear {

// One exclusive holder, or any number of shared ones; a client may hold several shared ones, and cannot go
// from one mode to the other without releasing. Since a client never holds in both modes, its release lets
// go of what it holds, whatever mode was recorded with the release.
struct ReadWriteLock : LockActions {
  static constexpr std::string_view id = "rw-lock";
  static constexpr LooksAt looks_at{.client = true, .mode = true};
  struct Reader {
    ClientNumber client = 0;
    std::uint32_t count = 0;
    friend bool operator==(const Reader&, const Reader&) = default;
  };
  using Readers = std::vector<Reader>;
  struct State {
    Holder writer;
    Readers readers;  // by client number, none with count 0
    std::uint64_t hash() const {
      std::uint64_t hash = static_cast<std::uint64_t>(writer.client);
      for (const Reader& reader : readers) {
        hash = hash_with(hash, (std::uint64_t{reader.client} << 32) | reader.count);
      }
      return hash;
    }
    // What the state keeps besides itself.
    std::size_t extra_bytes() const { return readers.capacity() * sizeof(Reader); }
    friend bool operator==(const State&, const State&) = default;
  };

  State initial() const { return {}; }
  std::optional<State> step(const State& state, const Call& call) const {
    State after = state;
    const auto reader = std::ranges::lower_bound(after.readers, call.client, {}, &Reader::client);
    const bool reads = reader != after.readers.end() && reader->client == call.client;
    const bool acquires = is_acquire(call.action);
    const bool shared = call.mode == Mode::shared;
    const bool possible = acquires ? state.writer.is_nobody() && (shared || state.readers.empty())
                                   : state.writer.is(call) || reads;
    if (is_refused(call)) {
      return possible ? std::nullopt : std::optional(state);
    }
    if (!possible) {
      return std::nullopt;
    }
    if (acquires && !shared) {
      after.writer = Holder::of(call);
    } else if (acquires && reads) {
      ++reader->count;
    } else if (acquires) {
      after.readers.insert(reader, Reader{call.client, 1});
    } else if (!reads) {
      after.writer = Holder{};
    } else if (reader->count > 1) {
      --reader->count;
    } else {
      after.readers.erase(reader);
    }
    return after;
  }
};

// So many permits; an acquire takes one, a release gives one back, whoever took it.
struct Semaphore : LockActions {
  static constexpr std::string_view id = "semaphore";
  static constexpr LooksAt looks_at{};
  std::uint32_t permits = 1;
  struct State {
    std::uint32_t taken = 0;
    ConditionalHolds conditional;
    std::uint64_t hash() const { return conditional.hash(taken); }
    // What the state keeps besides itself.
    std::size_t extra_bytes() const { return conditional.ids.capacity() * sizeof(std::int64_t); }
    friend bool operator==(const State&, const State&) = default;
  };

  State initial() const { return {}; }
  std::optional<State> step(const State& state, const Call& call) const {
    const bool acquires = is_acquire(call.action);
    const bool possible = acquires ? state.taken < permits
                                   : state.taken > 0 && (!call.conditional || state.conditional.has(call));
    if (is_refused(call)) {
      return possible ? std::nullopt : std::optional(state);
    }
    if (!possible) {
      return std::nullopt;
    }
    State after{acquires ? state.taken + 1 : state.taken - 1, state.conditional};
    after.conditional.follow(call);
    return after;
  }
};

// Waiters go when it has been counted down to zero. Counting down further changes nothing and is no error.
struct Latch {
  static constexpr std::string_view id = "latch";
  static constexpr LooksAt looks_at{};
  std::uint32_t count = 1;
  struct State {
    std::uint32_t left = 0;
    std::uint64_t hash() const { return left; }
    friend bool operator==(const State&, const State&) = default;
  };

  static constexpr bool knows(Action action) {
    return action == Action::count_down || action == Action::await_zero;
  }
  static bool observes(const Call& call) { return call.action == Action::await_zero || is_refused(call); }
  State initial() const { return {count}; }
  std::optional<State> step(const State& state, const Call& call) const {
    if (call.action == Action::await_zero) {
      const bool legal = is_info(call) || is_refused(call) == (state.left > 0);
      return legal ? std::optional(state) : std::nullopt;
    }
    if (is_refused(call)) {
      return state.left > 0 ? std::nullopt : std::optional(state);
    }
    return State{state.left > 0 ? state.left - 1 : 0};
  }
};

}  // namespace holdfast::linear
