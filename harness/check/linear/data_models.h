// Models of what a lock protects: registers, a counter, and storage that looks at fencing tokens.
#pragma once

#include "harness/check/linear/lock_models.h"

namespace holdfast::linear {

// What a register holds; nothing is nil.
struct RegisterState {
  std::optional<std::int64_t> value;
  std::uint64_t hash() const { return hash_with(std::uint64_t{1}, value); }
  friend bool operator==(const RegisterState&, const RegisterState&) = default;
};

// Reads see the last write; nil at first. A refused read or write did nothing and shows nothing.
struct Register {
  static constexpr std::string_view id = "register";
  static constexpr LooksAt looks_at{};
  using State = RegisterState;

  static constexpr bool knows(Action action) { return action == Action::read || action == Action::write; }
  static bool observes(const Call& call) { return call.action == Action::read || is_refused(call); }
  std::optional<std::int64_t> initial_value;
  State initial() const { return {initial_value}; }
  std::optional<State> step(const State& state, const Call& call) const {
    if (is_refused(call)) {
      return state;
    }
    if (call.action == Action::write) {
      return State{call.value};
    }
    return is_info(call) || call.value == state.value ? std::optional(state) : std::nullopt;
  }
};

// A register with compare-and-set; a refused one saw another value than it expected.
struct CasRegister {
  static constexpr std::string_view id = "cas-register";
  static constexpr LooksAt looks_at{};
  using State = RegisterState;

  static constexpr bool knows(Action action) {
    return Register::knows(action) || action == Action::compare_and_set;
  }
  static bool observes(const Call& call) {
    return Register::observes(call) ||
           (call.action == Action::compare_and_set && call.expected == call.value);
  }
  std::optional<std::int64_t> initial_value;
  State initial() const { return {initial_value}; }
  std::optional<State> step(const State& state, const Call& call) const {
    if (call.action != Action::compare_and_set) {
      return Register{}.step(state, call);
    }
    const bool possible = call.expected == state.value;
    if (is_refused(call)) {
      return possible ? std::nullopt : std::optional(state);
    }
    return possible ? std::optional(State{call.value}) : std::nullopt;
  }
};

// Starts at 0; an add without a value adds 1, a read without a value is not judged. It wraps around.
struct Counter {
  static constexpr std::string_view id = "counter";
  static constexpr LooksAt looks_at{};
  struct State {
    std::int64_t value = 0;
    std::uint64_t hash() const { return static_cast<std::uint64_t>(value); }
    friend bool operator==(const State&, const State&) = default;
  };

  static constexpr bool knows(Action action) { return action == Action::add || action == Action::read; }
  static bool observes(const Call& call) {
    return call.action == Action::read || is_refused(call) || call.value == 0;
  }
  State initial() const { return {}; }
  std::optional<State> step(const State& state, const Call& call) const {
    if (is_refused(call)) {
      return state;
    }
    if (call.action == Action::add) {
      const auto sum =
          static_cast<std::uint64_t>(state.value) + static_cast<std::uint64_t>(call.value.value_or(1));
      return State{static_cast<std::int64_t>(sum)};
    }
    const bool legal = is_info(call) || !call.value || *call.value == state.value;
    return legal ? std::optional(state) : std::nullopt;
  }
};

// Storage that refuses who comes with a smaller token than it has seen. A call without a token passes
// unchecked; refused, it shows nothing.
struct FencedRegister {
  static constexpr std::string_view id = "fenced-register";
  static constexpr LooksAt looks_at{.presented_token = true};
  struct State {
    std::optional<std::int64_t> value;
    TokenRecord tokens;
    std::uint64_t hash() const { return tokens.hash(hash_with(std::uint64_t{1}, value)); }
    friend bool operator==(const State&, const State&) = default;
  };

  static constexpr bool knows(Action action) { return Register::knows(action); }
  static bool observes(const Call& call) {
    return is_refused(call) || (call.action == Action::read && !call.token);
  }
  std::optional<std::int64_t> initial_value;
  State initial() const { return {initial_value, {}}; }
  std::optional<State> step(const State& state, const Call& call) const {
    const bool stale = call.token && state.tokens.any && *call.token < state.tokens.greatest;
    if (is_refused(call)) {
      return stale || !call.token ? std::optional(state) : std::nullopt;
    }
    if (stale) {
      return std::nullopt;
    }
    State after = state;
    if (call.token) {
      after.tokens = state.tokens.with(*call.token);
    }
    if (call.action == Action::write) {
      after.value = call.value;
    } else if (!is_info(call) && call.value != state.value) {
      return std::nullopt;
    }
    return after;
  }
};

}  // namespace holdfast::linear
