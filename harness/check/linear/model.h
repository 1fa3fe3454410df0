// What a sequential model is: the object that a history claims to be, one call at a time.
//
// A model is a tiny, pure struct. `step` answers the state after a call that gave the answer it gave, or
// nothing if the object could not have given it in that state. Three rules for all of them:
//
// - A call with outcome `info` has no answer: its `refused`, granted token and read value are not looked at.
//   `step` takes the choice that leaves most open afterwards. Where an info call would change nothing it may
//   answer nothing: such a call need never be linearized.
// - A `refused` call is an observation: it is legal only where the same call could not have succeeded.
// - Calls with outcome `fail` never reach a model: nothing happened.
//
// `observes` promises that a call leaves the state as it was wherever it is legal; the checker uses it to
// linearize such a call at the first chance, and to forget it altogether if its outcome is info.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/history/call.h"
#include "harness/kernel/fingerprint.h"

namespace holdfast::linear {

// What `step` looks at in a call besides its action and its value, of compare_and_set also the expected one.
// Info calls that are alike in what is looked at are interchangeable.
struct LooksAt {
  bool client = false;
  bool mode = false;
  bool presented_token = false;  // of a read or a write
  bool invocation = false;
};

template <class Model>
concept SequentialModel = requires(const Model model, const typename Model::State state, const Call call) {
  requires std::regular<typename Model::State>;
  { Model::id } -> std::convertible_to<std::string_view>;
  { Model::looks_at } -> std::convertible_to<LooksAt>;
  { Model::knows(Action::acquire) } -> std::same_as<bool>;  // calls with other actions are not judged
  { Model::observes(call) } -> std::same_as<bool>;
  { model.initial() } -> std::same_as<typename Model::State>;
  { model.step(state, call) } -> std::same_as<std::optional<typename Model::State>>;
  { state.hash() } -> std::same_as<std::uint64_t>;
};

inline bool is_info(const Call& call) {
  return call.outcome == Outcome::info;
}
inline bool is_refused(const Call& call) {
  return call.outcome == Outcome::ok && call.refused;
}
constexpr bool is_acquire(Action action) {
  return action == Action::acquire || action == Action::try_acquire;
}
constexpr bool is_lock_action(Action action) {
  return is_acquire(action) || action == Action::release;
}

// Words of a state, mixed one after the other.
inline std::uint64_t hash_with(std::uint64_t hash, std::uint64_t word) {
  return mix(hash ^ mix(word + 0x9e3779b97f4a7c15ULL));
}
inline std::uint64_t hash_with(std::uint64_t hash, const std::optional<std::int64_t>& word) {
  return word ? hash_with(hash + 1, static_cast<std::uint64_t>(*word)) : hash_with(hash, std::uint64_t{0});
}

}  // namespace holdfast::linear
