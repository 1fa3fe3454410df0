// What may be true of a lock at an instant, for stream_check.h: worlds, what becomes of a world when one call
// happens in it, and which worlds need not be kept. What else has to happen for a call stands in
// world_steps.h.
//
// Worlds are alike in which calls are open and which calls with unknown outcome there were; those stand in
// Calls. An open call has a slot, a kind of calls with unknown outcome has a place.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/check/linear/lock_models.h"
#include "harness/check/linear/sharing_models.h"

namespace holdfast::linear {

inline constexpr std::size_t most_open_calls = 256;
inline constexpr std::size_t most_unknown_kinds = 48;
inline constexpr std::size_t most_worlds = 192;
inline constexpr std::uint8_t most_of_a_kind = 250;
// Of a kind of which so many are left there is no need to save: a world that has fewer is dropped for one
// that has as many as this, which then no longer proves a violation.
inline constexpr std::uint8_t plenty = 4;

template <class Model>
struct World {
  typename Model::State state;
  std::bitset<most_open_calls> done;       // open calls that have happened
  std::bitset<most_open_calls> refusable;  // open calls that could have been refused meanwhile
  // Open calls that may have happened together with a call of their client's with unknown outcome, at an
  // instant when the lock was free for it: an acquire whose hold was let go at once, or the release of a hold
  // nobody knew of. By the kind of hold (hold_kind below): readers let other readers pass, but no writer.
  std::array<std::bitset<most_open_calls>, 2> passable;
  std::array<std::uint8_t, most_unknown_kinds> left{};  // calls with unknown outcome that have not happened
};

// The calls that worlds choose from.
struct WorldCalls {
  std::vector<std::uint32_t> open;                       // slots in use
  std::array<Call, most_open_calls> in_slot;             // outcome ok, not refused
  std::array<Call, most_unknown_kinds> unknown;          // outcome info
  std::array<std::uint64_t, most_unknown_kinds> last{};  // when a place was last given something; 0: free
};

template <class Model>
class WorldChanges {
 public:
  using AWorld = World<Model>;
  using Worlds = std::vector<AWorld>;
  static constexpr bool has_owners = Model::looks_at.client;

  WorldChanges(const Model& model, const WorldCalls& calls) : model_(model), calls_(calls) {}

  // Some possibility was left out: that no world is left proves nothing any more.
  bool is_incomplete() const { return incomplete_; }
  void drop_something() { incomplete_ = true; }

  // Notes which open calls the state would refuse.
  void note_refusable(AWorld& world) const {
    for (const std::uint32_t slot : calls_.open) {
      if (!world.done[slot] && !world.refusable[slot]) {
        note_refusable(world, slot);
      }
    }
  }

  void note_refusable(AWorld& world, std::uint32_t slot) const {
    // Of locks without owners a release is refused so seldom that it is not worth the worlds that differ in
    // it.
    const bool is_noted = has_owners || is_acquire(calls_.in_slot[slot].action);
    world.refusable.set(slot, is_noted && would_refuse(world, slot));
  }

  // What an acquire that happened in the world before its answer was known adds when that is known.
  std::optional<typename Model::State> told(const typename Model::State& state, const Call& call) const {
    if constexpr (has_tokens) {
      return is_acquire(call.action) ? model_.step(without_acquire(state), call) : std::optional(state);
    } else if constexpr (!has_owners) {
      typename Model::State after = state;
      if (is_acquire(call.action) && !call.conditional) {
        after.conditional.forget(call);
      }
      return after;
    } else {
      return state;
    }
  }

  // Forgets worlds that others cover.
  void prune(Worlds& worlds) {
    if (worlds.size() < 2) {
      return;
    }
    Worlds kept;
    for (AWorld& world : worlds) {
      const auto same = [&](const AWorld& known) { return covers(known, world); };
      if (const auto found = std::ranges::find_if(kept, same); found != kept.end()) {
        note_saving(*found, world);
        continue;
      }
      std::erase_if(kept, [&](const AWorld& known) {
        const bool is_covered = covers(world, known);
        if (is_covered) {
          note_saving(world, known);
        }
        return is_covered;
      });
      kept.push_back(std::move(world));
    }
    worlds = std::move(kept);
  }

 protected:
  static constexpr bool has_tokens =
      std::is_same_v<Model, FencedMutex> || std::is_same_v<Model, ReentrantFencedMutex>;
  static constexpr bool is_reentrant =
      std::is_same_v<Model, ReentrantMutex> || std::is_same_v<Model, ReentrantFencedMutex>;
  static constexpr bool is_shared_lock = std::is_same_v<Model, ReadWriteLock>;

  bool has_several_permits() const {
    if constexpr (std::is_same_v<Model, Semaphore>) {
      return model_.permits > 1;
    } else {
      return false;
    }
  }

  bool would_refuse(const AWorld& world, std::uint32_t slot) const {
    Call refused = calls_.in_slot[slot];
    refused.refused = true;
    return model_.step(world.state, refused).has_value();
  }

  void step_open(const AWorld& world, std::uint32_t slot, Worlds& out) {
    if (auto after = model_.step(world.state, calls_.in_slot[slot])) {
      AWorld next = world;
      note_passable(next, calls_.in_slot[slot]);
      next.state = std::move(*after);
      next.done.set(slot);
      note_refusable(next);
      add(out, std::move(next));
    }
  }

  void step_unknown(const AWorld& world, std::size_t place, Worlds& out) {
    if (world.left[place] == 0) {
      return;
    }
    if (auto after = model_.step(world.state, calls_.unknown[place])) {
      AWorld next = world;
      note_passable(next, calls_.unknown[place]);
      next.state = std::move(*after);
      use(next, place);
      note_refusable(next);
      add(out, std::move(next));
    }
  }

  void step_once(const AWorld& world, std::uint32_t slot, Worlds& out) {
    if (!world.done[slot]) {
      step_open(world, slot, out);
    }
  }

  void finish(AWorld way, std::uint32_t slot, const Call& answered, Worlds& out) {
    if (way.done[slot]) {
      return;  // on the way it happened for another reason
    }
    if (auto after = model_.step(way.state, answered)) {
      note_passable(way, answered);
      way.state = std::move(*after);
      way.done.set(slot);
      note_refusable(way);
      add(out, std::move(way));
    }
  }

  bool may_pass(std::size_t place) const { return has_owners || calls_.unknown[place].conditional; }

  // An acquire and a release that may be for it.
  bool are_a_pair(std::size_t place, std::uint32_t slot) const {
    const Call& one = calls_.unknown[place];
    const Call& other = calls_.in_slot[slot];
    return other.client == one.client && is_acquire(other.action) != is_acquire(one.action) &&
           (!one.conditional || one.value == other.value);
  }

  // A client's own pair comes before its acquire only if that differs from what the pair acquires: else one
  // of them is as good as the other.
  bool is_in_the_way(const Call& acquire, std::uint32_t slot) const {
    const Call& call = calls_.in_slot[slot];
    return call.client == acquire.client && (!is_shared_lock || is_acquire(call.action));
  }

  void have_passed(const AWorld& world, std::uint32_t slot, Worlds& out) {
    for (std::size_t place = 0; place < most_unknown_kinds; ++place) {
      if (world.left[place] > 0 && may_pass(place) && are_a_pair(place, slot) &&
          world.passable[hold_kind(place, slot)][slot]) {
        AWorld next = world;
        use(next, place);
        next.done.set(slot);
        add(out, std::move(next));
      }
    }
  }

  bool is_full(const Worlds& worlds) {
    incomplete_ = incomplete_ || worlds.size() >= most_worlds;
    return worlds.size() >= most_worlds;
  }

  // Unless it is there. Worlds on the way to an event are kept even if others cover them.
  void add(Worlds& worlds, AWorld world) {
    for (const AWorld& known : worlds) {
      if (known.state == world.state && known.done == world.done && has_no_less(known, world)) {
        note_saving(known, world);
        return;
      }
    }
    if (!is_full(worlds)) {
      worlds.push_back(std::move(world));
    }
  }

  const Model& model_;
  const WorldCalls& calls_;
  bool incomplete_ = false;  // see is_incomplete

 private:
  // The acquire happens next: just before, other holds may have come and gone.
  void note_passable(AWorld& world, const Call& acquire) const {
    if (has_tokens || Model::looks_at.invocation || !is_acquire(acquire.action)) {
      return;
    }
    for (std::size_t place = 0; place < most_unknown_kinds; ++place) {
      if (world.left[place] == 0 || !may_pass(place)) {
        continue;
      }
      for (const std::uint32_t slot : calls_.open) {
        if (!world.done[slot] && are_a_pair(place, slot) && !is_in_the_way(acquire, slot) &&
            model_.step(world.state, taken_by(place, slot))) {
          world.passable[hold_kind(place, slot)].set(slot);
        }
      }
    }
  }

  const Call& taken_by(std::size_t place, std::uint32_t slot) const {
    return is_acquire(calls_.unknown[place].action) ? calls_.unknown[place] : calls_.in_slot[slot];
  }

  // Of a pair: whether it needs the lock alone, or shares it.
  std::size_t hold_kind(std::size_t place, std::uint32_t slot) const {
    return is_shared_lock && taken_by(place, slot).mode == Mode::shared ? 1 : 0;
  }

  void use(AWorld& world, std::size_t place) const {
    if (--world.left[place] > 0) {
      return;
    }
    for (const std::uint32_t slot : calls_.open) {
      if (are_a_pair(place, slot)) {
        world.passable[hold_kind(place, slot)].reset(slot);  // what is given later was not there then
      }
    }
  }

  void note_saving(const AWorld& kept, const AWorld& dropped) {
    for (std::size_t place = 0; place < most_unknown_kinds; ++place) {
      incomplete_ = incomplete_ || kept.left[place] < dropped.left[place];
    }
  }

  // Whether all that the other world can come to the one can, too.
  bool covers(const AWorld& one, const AWorld& other) const {
    if (!has_no_less(one, other)) {
      return false;
    }
    return (one.state == other.state && one.done == other.done) || (!has_owners && may_catch_up(one, other));
  }

  // What the other world did and the one did not, it can still do.
  bool may_catch_up(const AWorld& one, const AWorld& other) const {
    for (std::size_t place = 0; place < most_unknown_kinds; ++place) {
      const bool lets_go = calls_.unknown[place].conditional && !is_acquire(calls_.unknown[place].action);
      if (one.left[place] < other.left[place] || (lets_go && one.left[place] != other.left[place])) {
        return false;  // it did more; or a hold of the other's has come and gone, for which there may be no
                       // room
      }
    }
    return (one.done & ~other.done).none();
  }

  static bool has_no_less(const AWorld& one, const AWorld& other) {
    std::bitset<most_open_calls> more = other.refusable & ~one.refusable;
    for (std::size_t kind = 0; kind < one.passable.size(); ++kind) {
      more |= other.passable[kind] & ~one.passable[kind];
    }
    if ((more & ~other.done).any()) {
      return false;
    }
    for (std::size_t place = 0; place < most_unknown_kinds; ++place) {
      if (one.left[place] < std::min(other.left[place], plenty)) {
        return false;
      }
    }
    return true;
  }

  static typename Model::State without_acquire(typename Model::State state) {
    if constexpr (std::is_same_v<Model, ReentrantFencedMutex>) {
      if (--state.count > 0) {
        return state;
      }
      state.own = Model::Own::untold;
    }
    state.holder = Holder{};
    return state;
  }
};

}  // namespace holdfast::linear
