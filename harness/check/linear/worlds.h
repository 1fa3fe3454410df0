// What may be true of a lock at an instant, for stream_check.h: worlds, and how calls happen in them.
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
#include "harness/kernel/require.h"

namespace holdfast::linear {

inline constexpr std::size_t most_open_calls = 256;
inline constexpr std::size_t most_unknown_kinds = 48;
inline constexpr std::size_t most_worlds = 192;
inline constexpr std::uint8_t most_of_a_kind = 250;
// Of a kind of which so many are left there is no need to save: a world that has fewer is dropped for one
// that has as many as this, which then no longer proves a violation.
inline constexpr std::uint8_t plenty = 4;

// Who must let go before the call can succeed: a client, anybody at all, or nobody.
struct Blocker {
  bool any = false;
  std::int64_t client = -1;
  bool is_nobody() const { return !any && client < 0; }
};

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
class WorldSteps {
 public:
  using AWorld = World<Model>;
  using Worlds = std::vector<AWorld>;
  static constexpr bool has_owners = Model::looks_at.client;

  WorldSteps(const Model& model, const WorldCalls& calls) : model_(model), calls_(calls) {}

  // Some possibility was left out: that no world is left proves nothing any more.
  bool is_incomplete() const { return incomplete_; }
  void drop_something() { incomplete_ = true; }

  bool has_several_permits() const {
    if constexpr (std::is_same_v<Model, Semaphore>) {
      return model_.permits > 1;
    } else {
      return false;
    }
  }

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

  // The open call in the slot happens now, with the answer that it gave: all ways to that.
  void happen(const AWorld& world, std::uint32_t slot, const Call& answered, Worlds& out) {
    have_passed(world, slot, out);
    if (!is_acquire(answered.action)) {
      release(world, slot, answered, out);
      return;
    }
    for (const AWorld& start : starts(world, answered)) {
      for (AWorld& way : freed(start, answered)) {
        finish(std::move(way), slot, answered, out);
      }
    }
  }

  // The open call in the slot was refused, and this world has shown no reason yet: all ways to one.
  void be_refused(const AWorld& world, std::uint32_t slot, Worlds& out) {
    Worlds todo{world};
    if (!is_acquire(calls_.in_slot[slot].action)) {
      incomplete_ = incomplete_ || !has_owners;  // it was not noted when this was so
      be_refused_release(todo, slot, out);
      return;
    }
    for (std::size_t index = 0; index < todo.size() && !is_full(todo); ++index) {
      const AWorld from = todo[index];
      Worlds next;
      take_any(from, slot, next);
      for (AWorld& way : next) {
        if (way.done[slot]) {
          continue;  // on the way it was granted
        }
        Worlds& list = would_refuse(way, slot) ? out : todo;
        if (&list == &out || has_several_permits()) {
          add(list, std::move(way));
        }
      }
    }
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

 private:
  static constexpr bool has_tokens =
      std::is_same_v<Model, FencedMutex> || std::is_same_v<Model, ReentrantFencedMutex>;
  static constexpr bool is_reentrant =
      std::is_same_v<Model, ReentrantMutex> || std::is_same_v<Model, ReentrantFencedMutex>;
  static constexpr bool is_shared_lock = std::is_same_v<Model, ReadWriteLock>;

  bool would_refuse(const AWorld& world, std::uint32_t slot) const {
    Call refused = calls_.in_slot[slot];
    refused.refused = true;
    return model_.step(world.state, refused).has_value();
  }

  static Blocker holder_of(const typename Model::State& state, const Call& call) {
    if constexpr (!has_owners) {
      return {.any = true};
    } else if constexpr (is_shared_lock) {
      if (!state.writer.is_nobody()) {
        return {.client = state.writer.client};
      }
      const bool alone = call.mode == Mode::exclusive && !state.readers.empty();
      return {.client = alone ? std::int64_t{state.readers.front().client} : -1};
    } else {
      return {.client = state.holder.client};
    }
  }

  // All ways in which those who stand in the acquire's way let go; the world itself if nobody does.
  Worlds freed(const AWorld& world, const Call& acquire) {
    Worlds todo{world};
    Worlds ways;
    Call any = acquire;  // tokens are no obstacle that a release removes
    any.token.reset();
    for (std::size_t index = 0; index < todo.size() && !is_full(todo); ++index) {
      const AWorld from = todo[index];
      if (model_.step(from.state, any)) {
        add(ways, from);
      } else if (const Blocker blocker = holder_of(from.state, acquire); !blocker.is_nobody()) {
        let_go(from, blocker, todo);
      }
    }
    return ways;
  }

  // One release of the blocker's happens.
  void let_go(const AWorld& world, const Blocker& blocker, Worlds& out) {
    const auto is_theirs = [&](const Call& call) {
      return call.action == Action::release && (blocker.any || std::int64_t{call.client} == blocker.client);
    };
    for (const std::uint32_t slot : calls_.open) {
      if (!world.done[slot] && is_theirs(calls_.in_slot[slot])) {
        step_open(world, slot, out);
      }
    }
    for (std::size_t place = 0; place < most_unknown_kinds; ++place) {
      if (world.left[place] > 0 && is_theirs(calls_.unknown[place]) && !loses_a_token(world, place)) {
        step_unknown(world, place, out);
      }
    }
  }

  // Its acquire is open, so that nobody knows yet which token it took: others cannot be judged meanwhile.
  bool loses_a_token(const AWorld& world, std::size_t place) {
    if constexpr (has_tokens) {
      for (const std::uint32_t slot : calls_.open) {
        if (world.done[slot] && calls_.in_slot[slot].client == calls_.unknown[place].client) {
          incomplete_ = true;
          return true;
        }
      }
    }
    return false;
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

  // The worlds from which an acquire may go on: holds that nobody knew of have come and gone, or not. Mostly
  // it is enough to note that they may have (note_passable).
  Worlds starts(const AWorld& world, const Call& acquire) {
    Worlds all{world};
    for (std::size_t index = 0; index < all.size() && !is_full(all); ++index) {
      if (!must_pass_now(all[index], acquire)) {
        continue;
      }
      const AWorld from = all[index];
      for (std::size_t place = 0; place < most_unknown_kinds; ++place) {
        if (from.left[place] > 0 && may_pass(place)) {
          pass_through(from, place, acquire, all);
        }
      }
    }
    if constexpr (is_reentrant) {
      if (has_tokens || somebody_may_pass(world, acquire)) {
        end_own_hold(acquire, all);
      }
    }
    return all;
  }

  bool may_pass(std::size_t place) const { return has_owners || calls_.unknown[place].conditional; }

  // It leaves something behind: a token taken, a place in the order, a refusal, readers who had to leave.
  bool must_pass_now(const AWorld& world, const Call& acquire) const {
    if constexpr (has_tokens || Model::looks_at.invocation) {
      return true;
    } else if constexpr (is_shared_lock) {
      return needs_another_holder(world, acquire) ||
             (acquire.mode == Mode::shared && !world.state.readers.empty());
    } else {
      return needs_another_holder(world, acquire);
    }
  }

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

  // An acquire and a release that may be for it.
  bool are_a_pair(std::size_t place, std::uint32_t slot) const {
    const Call& one = calls_.unknown[place];
    const Call& other = calls_.in_slot[slot];
    return other.client == one.client && is_acquire(other.action) != is_acquire(one.action) &&
           (!one.conditional || one.value == other.value);
  }

  const Call& taken_by(std::size_t place, std::uint32_t slot) const {
    return is_acquire(calls_.unknown[place].action) ? calls_.unknown[place] : calls_.in_slot[slot];
  }

  // Of a pair: whether it needs the lock alone, or shares it.
  std::size_t hold_kind(std::size_t place, std::uint32_t slot) const {
    return is_shared_lock && taken_by(place, slot).mode == Mode::shared ? 1 : 0;
  }

  // A client's own pair comes before its acquire only if that differs from what the pair acquires: else one
  // of them is as good as the other.
  bool is_in_the_way(const Call& acquire, std::uint32_t slot) const {
    const Call& call = calls_.in_slot[slot];
    return call.client == acquire.client && (!is_shared_lock || is_acquire(call.action));
  }

  // Somebody else's hold may have come and gone while the client that re-enters did not hold it.
  bool somebody_may_pass(const AWorld& world, const Call& acquire) const {
    for (std::size_t place = 0; place < most_unknown_kinds; ++place) {
      for (const std::uint32_t slot : calls_.open) {
        if (world.left[place] > 0 && !world.done[slot] && are_a_pair(place, slot) &&
            calls_.unknown[place].client != acquire.client) {
          return true;
        }
      }
    }
    return false;
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

  // The call with unknown outcome, with its counterpart.
  void pass_through(const AWorld& world, std::size_t place, const Call& acquire, Worlds& out) {
    const Call& one = calls_.unknown[place];
    for (const std::uint32_t slot : calls_.open) {
      const Call& other = calls_.in_slot[slot];
      if (world.done[slot] || is_in_the_way(acquire, slot) || !are_a_pair(place, slot)) {
        continue;
      }
      if (has_tokens && is_acquire(other.action)) {
        incomplete_ = true;
      } else {
        pass_through(world, is_acquire(one.action) ? one : other, acquire, out, [&](auto& way, bool taking) {
          Worlds next;
          taking == is_acquire(one.action) ? step_unknown(way, place, next) : step_once(way, slot, next);
          return next;
        });
      }
    }
    if (is_acquire(one.action) && needs_another_holder(world, acquire)) {
      for (std::size_t end = 0; end < most_unknown_kinds; ++end) {
        if (world.left[end] > 0 && calls_.unknown[end].client == one.client &&
            calls_.unknown[end].action == Action::release) {
          pass_through(world, one, acquire, out, [&](auto& way, bool taking) {
            Worlds next;
            step_unknown(way, taking ? place : end, next);
            return next;
          });
        }
      }
    }
  }

  template <class Step>
  void pass_through(const AWorld& world, const Call& taken, const Call& acquire, Worlds& out,
                    const Step& step) {
    if (is_shared_lock && taken.mode == Mode::shared && acquire.mode == Mode::shared) {
      return;  // it can come later as well
    }
    for (const AWorld& way : freed(world, taken)) {
      for (const AWorld& holding : step(way, true)) {
        for (AWorld& gone : step(holding, false)) {
          add(out, std::move(gone));
        }
      }
    }
  }

  void step_once(const AWorld& world, std::uint32_t slot, Worlds& out) {
    if (!world.done[slot]) {
      step_open(world, slot, out);
    }
  }

  // An open call that could have been refused only while others than `acquire` held the lock.
  bool somebody_waits(const AWorld& world, const Call& acquire) const {
    return std::ranges::any_of(calls_.open, [&](std::uint32_t slot) {
      const Call& call = calls_.in_slot[slot];
      return !world.done[slot] && !world.refusable[slot] && is_acquire(call.action) &&
             call.client != acquire.client;
    });
  }

  // Whether there is an open call that could not have been refused because of this acquire.
  bool needs_another_holder(const AWorld& world, const Call& acquire) const {
    if constexpr (is_reentrant) {
      return std::ranges::any_of(calls_.open, [&](std::uint32_t slot) {
        const Call& call = calls_.in_slot[slot];
        return !world.done[slot] && !world.refusable[slot] && is_acquire(call.action) &&
               call.client == acquire.client && call.invoked != acquire.invoked;
      });
    } else {
      return is_shared_lock && somebody_waits(world, acquire);
    }
  }

  // Perhaps what looks like re-entry is a new hold.
  void end_own_hold(const Call& acquire, Worlds& all) {
    for (std::size_t index = 0; index < all.size() && !is_full(all); ++index) {
      const AWorld from = all[index];
      if (std::int64_t{acquire.client} == holder_of(from.state, acquire).client) {
        let_go(from, {.client = std::int64_t{acquire.client}}, all);
      }
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

  void release(const AWorld& world, std::uint32_t slot, const Call& answered, Worlds& out) {
    Worlds starts;
    if (!model_.step(world.state, answered)) {
      take_for_release(world, answered, starts);
    } else {
      starts.push_back(world);
      if (!has_owners) {
        let_go_before_release(world, answered, starts);
      }
    }
    if (std::is_same_v<Model, ReentrantFencedMutex>) {
      re_enter(answered, starts);
    }
    if (has_several_permits() && somebody_waits(world, answered)) {
      fill(starts);
    }
    for (AWorld& start : starts) {
      finish(std::move(start), slot, answered, out);
    }
  }

  // Nothing is held that it could release: it is for a hold that nobody knew of.
  void take_for_release(const AWorld& world, const Call& release, Worlds& out) {
    if constexpr (!has_owners) {
      for (const std::uint32_t open : calls_.open) {
        if (!world.done[open] && is_acquire(calls_.in_slot[open].action)) {
          step_open(world, open, out);
        }
      }
    }
    for (std::size_t place = 0; place < most_unknown_kinds; ++place) {
      const Call& call = calls_.unknown[place];
      if (world.left[place] == 0 || !is_acquire(call.action) ||
          (has_owners && call.client != release.client)) {
        continue;
      }
      for (const AWorld& start : starts(world, call)) {
        for (const AWorld& way : freed(start, call)) {
          step_unknown(way, place, out);
        }
      }
    }
  }

  // All permits may have been taken before one was given back, for calls that were refused then.
  void fill(Worlds& all) {
    if constexpr (std::is_same_v<Model, Semaphore>) {
      for (std::size_t index = 0; index < all.size() && !is_full(all); ++index) {
        const AWorld from = all[index];
        if (from.state.taken < model_.permits) {
          take_any(from, most_open_calls, all);
        }
      }
    }
  }

  // An acquire with unknown outcome may have been re-entry. That two or more were is left out.
  void re_enter(const Call& release, Worlds& all) {
    const std::size_t before = all.size();
    for (std::size_t index = 0; index < before; ++index) {
      const AWorld from = all[index];
      for (std::size_t place = 0; place < most_unknown_kinds; ++place) {
        const Call& call = calls_.unknown[place];
        if (from.left[place] > 0 && is_acquire(call.action) && call.client == release.client) {
          incomplete_ = incomplete_ || from.left[place] > 1;
          step_unknown(from, place, all);
        }
      }
    }
  }

  // What nobody knows of was let go, and somebody else's acquire is what is released.
  void let_go_before_release(const AWorld& world, const Call& release, Worlds& out) {
    for (std::size_t place = 0; place < most_unknown_kinds; ++place) {
      const Call& call = calls_.unknown[place];
      if (!call.conditional || is_acquire(call.action)) {
        continue;
      }
      Worlds next;
      step_unknown(world, place, next);
      for (const AWorld& way : next) {
        take_for_release(way, release, out);
      }
    }
  }

  // Any acquire that may happen now does, but the one in the slot.
  void take_any(const AWorld& world, std::uint32_t but, Worlds& out) {
    for (const std::uint32_t slot : calls_.open) {
      const Call& call = calls_.in_slot[slot];
      if (slot == but || world.done[slot] || !is_acquire(call.action)) {
        continue;
      }
      for (const AWorld& start : starts(world, call)) {
        for (const AWorld& way : freed(start, call)) {
          step_once(way, slot, out);
        }
      }
    }
    for (std::size_t place = 0; place < most_unknown_kinds; ++place) {
      if (world.left[place] == 0 || !is_acquire(calls_.unknown[place].action)) {
        continue;
      }
      for (const AWorld& start : starts(world, calls_.unknown[place])) {
        for (const AWorld& way : freed(start, calls_.unknown[place])) {
          step_unknown(way, place, out);
        }
      }
    }
  }

  // The client holds nothing, though it seemed to.
  void be_refused_release(Worlds& todo, std::uint32_t slot, Worlds& out) {
    const Call& release = calls_.in_slot[slot];
    const Blocker self = has_owners ? Blocker{.client = std::int64_t{release.client}} : Blocker{.any = true};
    for (std::size_t index = 0; index < todo.size() && !is_full(todo); ++index) {
      const AWorld from = todo[index];
      if (would_refuse(from, slot)) {
        add(out, from);
        continue;
      }
      Worlds next;
      let_go(from, self, next);
      for (AWorld& way : next) {
        if (!way.done[slot]) {
          add(todo, std::move(way));
        }
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

  const Model& model_;
  const WorldCalls& calls_;
  bool incomplete_ = false;
};

}  // namespace holdfast::linear
