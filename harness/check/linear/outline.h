// The calls of one key, laid out for the search: what is independent of the model's states.
//
// Calls that return are numbered by their return; a call's number is its rank. While `passed` ranks
// are behind the search, those calls can be linearized next that were invoked before the return of rank
// `passed`: the calls open at that instant. No two calls that are open at one instant share a slot, so a
// configuration needs one bit a slot, however long the history is.
//
// Info calls that never return are sorted into classes of calls that no model state can tell apart, the
// earlier invoked first: of a class only the first unused one need ever be tried.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/check/linear/model.h"
#include "harness/history/call.h"

namespace holdfast::linear {

struct OutlineOptions {
  LooksAt looks_at;
  bool (*knows)(Action) = nullptr;
  bool (*observes)(const Call&) = nullptr;
};

struct InfoClass {
  std::uint32_t first = 0;  // in Outline::infos
  std::uint32_t last = 0;   // one behind
};

// What has to become of a call before the search may pass its return.
enum class Duty : std::uint8_t {
  happen,   // linearized, with its answer
  observe,  // likewise, and it changes nothing
  expire,   // an info call that can happen only until it returned: linearized, or given up
};

struct Outline {
  std::vector<std::uint32_t> required;  // rank → index of the call
  std::vector<std::uint32_t> slot;      // rank → slot
  std::vector<Duty> duty;               // by rank
  std::vector<std::uint32_t> entering;  // ranks by invocation
  std::vector<std::uint32_t> entered;   // passed → how many of `entering` were invoked by then
  std::size_t slots = 0;                // most calls open at one instant
  std::vector<std::uint32_t> infos;     // indexes of the calls, class by class
  std::vector<InfoClass> classes;

  // At most what outline() allocates for so many calls.
  static std::size_t bytes(std::size_t calls) { return 48 * calls + 64; }
};

Outline outline(std::span<const Call> calls, const OutlineOptions& options);

}  // namespace holdfast::linear
