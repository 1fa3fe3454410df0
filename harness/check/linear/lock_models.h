// Models of locks that one client holds at a time: plain, owned, re-entrant, fenced, first come first served.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "harness/check/linear/model.h"

namespace holdfast::linear {

// The holder of a lock: a client, or nobody.
struct Holder {
  std::int64_t client = -1;

  bool is_nobody() const { return client < 0; }
  bool is(const Call& call) const { return client == std::int64_t{call.client}; }
  static Holder of(const Call& call) { return {std::int64_t{call.client}}; }
  friend bool operator==(const Holder&, const Holder&) = default;
};

// The greatest token granted so far, if there was any.
struct TokenRecord {
  bool any = false;
  std::int64_t greatest = 0;

  bool admits(std::int64_t token) const { return !any || token > greatest; }
  TokenRecord with(std::int64_t token) const { return {true, token}; }
  // After a grant whose token nobody saw: the least it can have been leaves most open. Nothing if there is
  // no greater token. Before the first known token an unknown one excludes none.
  std::optional<TokenRecord> with_unknown() const {
    if (!any) {
      return *this;
    }
    if (greatest == std::numeric_limits<std::int64_t>::max()) {
      return std::nullopt;
    }
    return TokenRecord{true, greatest + 1};
  }
  std::uint64_t hash(std::uint64_t seed) const {
    return any ? hash_with(seed + 1, static_cast<std::uint64_t>(greatest)) : seed;
  }
  friend bool operator==(const TokenRecord&, const TokenRecord&) = default;
};

// What all lock models share: which calls they judge, and which only look.
struct LockActions {
  static constexpr bool knows(Action action) { return is_lock_action(action); }
  static bool observes(const Call& call) { return is_refused(call); }
};

// Of locks without owners: who took something by a conditional acquire (Call::conditional) and has not been
// let go since. When nothing is taken any more, whoever gave the last of it back gave theirs back.
struct ConditionalHolds {
  std::vector<std::int64_t> ids;  // ascending; one may be there several times

  static std::int64_t id_of(const Call& call) { return (call.value.value_or(0) << 32) | call.client; }
  bool has(const Call& call) const { return std::ranges::binary_search(ids, id_of(call)); }
  void note(const Call& call) { ids.insert(std::ranges::upper_bound(ids, id_of(call)), id_of(call)); }
  void forget(const Call& call) {
    if (has(call)) {
      ids.erase(std::ranges::lower_bound(ids, id_of(call)));
    }
  }
  std::size_t count(const Call& call) const {
    return static_cast<std::size_t>(std::ranges::count(ids, id_of(call)));
  }
  void hand_over(const Call& from, const Call& to) {
    while (has(from)) {
      forget(from);
      note(to);
    }
  }
  // After a call that happened.
  void follow(const Call& call) {
    if (call.conditional) {
      is_acquire(call.action) ? note(call) : forget(call);
    }
  }
  std::uint64_t hash(std::uint64_t seed) const {
    for (const std::int64_t id : ids) {
      seed = hash_with(seed, static_cast<std::uint64_t>(id));
    }
    return seed;
  }
  friend bool operator==(const ConditionalHolds&, const ConditionalHolds&) = default;
};

// Held or free; whoever releases it frees it.
struct Mutex : LockActions {
  static constexpr std::string_view id = "mutex";
  static constexpr LooksAt looks_at{};
  struct State {
    bool held = false;
    ConditionalHolds conditional;
    std::uint64_t hash() const { return conditional.hash(held ? 1 : 0); }
    // What the state keeps besides itself.
    std::size_t extra_bytes() const { return conditional.ids.capacity() * sizeof(std::int64_t); }
    friend bool operator==(const State&, const State&) = default;
  };

  State initial() const { return {}; }
  std::optional<State> step(const State& state, const Call& call) const {
    const bool acquires = is_acquire(call.action);
    const bool possible =
        acquires != state.held && (acquires || !call.conditional || state.conditional.has(call));
    if (is_refused(call)) {
      return possible ? std::nullopt : std::optional(state);
    }
    if (!possible) {
      return std::nullopt;
    }
    State after{acquires, {}};
    if (acquires) {
      after.conditional.follow(call);
    }
    return after;
  }
};

// Only its holder releases it; the holder cannot get it a second time.
struct OwnerMutex : LockActions {
  static constexpr std::string_view id = "owner-mutex";
  static constexpr LooksAt looks_at{.client = true};
  struct State {
    Holder holder;
    std::uint64_t hash() const { return static_cast<std::uint64_t>(holder.client); }
    friend bool operator==(const State&, const State&) = default;
  };

  State initial() const { return {}; }
  std::optional<State> step(const State& state, const Call& call) const {
    const bool acquires = is_acquire(call.action);
    const bool possible = acquires ? state.holder.is_nobody() : state.holder.is(call);
    if (is_refused(call)) {
      return possible ? std::nullopt : std::optional(state);
    }
    if (!possible) {
      return std::nullopt;
    }
    return acquires ? State{Holder::of(call)} : State{};
  }
};

// The holder may acquire it again; it is free after as many releases.
struct ReentrantMutex : LockActions {
  static constexpr std::string_view id = "reentrant-mutex";
  static constexpr LooksAt looks_at{.client = true};
  struct State {
    Holder holder;
    std::uint32_t count = 0;
    std::uint64_t hash() const { return hash_with(static_cast<std::uint64_t>(holder.client), count); }
    friend bool operator==(const State&, const State&) = default;
  };

  State initial() const { return {}; }
  std::optional<State> step(const State& state, const Call& call) const {
    const bool acquires = is_acquire(call.action);
    const bool possible = state.holder.is(call) || (acquires && state.holder.is_nobody());
    if (is_refused(call)) {
      return possible ? std::nullopt : std::optional(state);
    }
    if (!possible) {
      return std::nullopt;
    }
    if (acquires) {
      return State{Holder::of(call), state.count + 1};
    }
    return state.count == 1 ? State{} : State{state.holder, state.count - 1};
  }
};

// An owner mutex whose every granted token is greater than all granted before. A grant without a token is
// legal and changes nothing about tokens.
struct FencedMutex : LockActions {
  static constexpr std::string_view id = "fenced-mutex";
  static constexpr LooksAt looks_at{.client = true};
  struct State {
    Holder holder;
    TokenRecord tokens;
    std::uint64_t hash() const { return tokens.hash(static_cast<std::uint64_t>(holder.client) << 1); }
    friend bool operator==(const State&, const State&) = default;
  };

  State initial() const { return {}; }
  std::optional<State> step(const State& state, const Call& call) const {
    const bool acquires = is_acquire(call.action);
    const bool possible = acquires ? state.holder.is_nobody() : state.holder.is(call);
    if (is_refused(call)) {
      return possible ? std::nullopt : std::optional(state);
    }
    if (!possible) {
      return std::nullopt;
    }
    return acquires ? granted(state, call) : State{Holder{}, state.tokens};
  }

 private:
  static std::optional<State> granted(const State& state, const Call& call) {
    if (is_info(call)) {
      const std::optional<TokenRecord> tokens = state.tokens.with_unknown();
      return tokens ? std::optional(State{Holder::of(call), *tokens}) : std::nullopt;
    }
    if (!call.token) {
      return State{Holder::of(call), state.tokens};
    }
    if (!state.tokens.admits(*call.token)) {
      return std::nullopt;
    }
    return State{Holder::of(call), state.tokens.with(*call.token)};
  }
};

// A re-entrant mutex with tokens: only the outermost acquire takes a new one, and re-entry answers the same
// one or none. If nobody saw the outermost acquire's token, the first re-entry that tells one tells it.
struct ReentrantFencedMutex : LockActions {
  static constexpr std::string_view id = "reentrant-fenced-mutex";
  static constexpr LooksAt looks_at{.client = true};
  // What is known of the token of the present hold.
  enum class Own : std::uint8_t {
    untold,   // greater than all in the record; the record does not count it
    unknown,  // at least the greatest in the record, which counts it as that
    known,    // the greatest in the record
  };
  struct State {
    Holder holder;
    std::uint32_t count = 0;
    Own own = Own::untold;
    TokenRecord tokens;
    std::uint64_t hash() const {
      const std::uint64_t counts = (std::uint64_t{count} << 8) | static_cast<std::uint64_t>(own);
      return tokens.hash(hash_with(static_cast<std::uint64_t>(holder.client), counts));
    }
    friend bool operator==(const State&, const State&) = default;
  };

  State initial() const { return {}; }
  std::optional<State> step(const State& state, const Call& call) const {
    const bool acquires = is_acquire(call.action);
    const bool possible = state.holder.is(call) || (acquires && state.holder.is_nobody());
    if (is_refused(call)) {
      return possible ? std::nullopt : std::optional(state);
    }
    if (!possible) {
      return std::nullopt;
    }
    if (acquires) {
      return state.count == 0 ? outermost(state, call) : nested(state, call);
    }
    State after = state;
    --after.count;
    if (after.count == 0) {
      after.holder = Holder{};
      after.own = Own::untold;
    }
    return after;
  }

 private:
  static std::optional<State> outermost(const State& state, const Call& call) {
    State after{Holder::of(call), 1, Own::untold, state.tokens};
    if (is_info(call)) {
      const std::optional<TokenRecord> tokens = state.tokens.with_unknown();
      if (!tokens) {
        return std::nullopt;
      }
      after.tokens = *tokens;
      after.own = tokens->any ? Own::unknown : Own::untold;
    } else if (call.token) {
      if (!state.tokens.admits(*call.token)) {
        return std::nullopt;
      }
      after.tokens = state.tokens.with(*call.token);
      after.own = Own::known;
    }
    return after;
  }

  static std::optional<State> nested(const State& state, const Call& call) {
    State after = state;
    ++after.count;
    if (is_info(call) || !call.token) {
      return after;
    }
    const std::int64_t token = *call.token;
    const bool fits = (state.own == Own::known && token == state.tokens.greatest) ||
                      (state.own == Own::unknown && token >= state.tokens.greatest) ||
                      (state.own == Own::untold && state.tokens.admits(token));
    if (!fits) {
      return std::nullopt;
    }
    after.own = Own::known;
    after.tokens = state.tokens.with(token);
    return after;
  }
};

// An owner mutex that serves in the order in which it was asked: along the linearization the invocations of
// granted acquires only go forward. An acquire that was overtaken can be refused, but no longer granted.
struct FifoMutex {
  static constexpr std::string_view id = "fifo-mutex";
  static constexpr LooksAt looks_at{.client = true, .invocation = true};
  struct State {
    Holder holder;
    Position not_before = 0;  // one more than the invocation of the last granted acquire
    std::uint64_t hash() const { return hash_with(static_cast<std::uint64_t>(holder.client), not_before); }
    friend bool operator==(const State&, const State&) = default;
  };

  static constexpr bool knows(Action action) { return is_lock_action(action); }
  static bool observes(const Call& call) { return is_refused(call); }
  State initial() const { return {}; }
  std::optional<State> step(const State& state, const Call& call) const {
    const bool acquires = is_acquire(call.action);
    const bool possible =
        acquires ? state.holder.is_nobody() && call.invoked >= state.not_before : state.holder.is(call);
    if (is_refused(call)) {
      return possible ? std::nullopt : std::optional(state);
    }
    if (!possible) {
      return std::nullopt;
    }
    return acquires ? State{Holder::of(call), call.invoked + 1} : State{Holder{}, state.not_before};
  }
};

}  // namespace holdfast::linear
