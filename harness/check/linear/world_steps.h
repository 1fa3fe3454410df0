// How calls happen in worlds, for stream_check.h: all that has to happen before them, and all that may.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "harness/check/linear/worlds.h"

namespace holdfast::linear {

// Who must let go before the call can succeed: a client, anybody at all, or nobody.
struct Blocker {
  bool any = false;
  std::int64_t client = -1;
  bool is_nobody() const { return !any && client < 0; }
};

template <class Model>
class WorldSteps : public WorldChanges<Model> {
  using Base = WorldChanges<Model>;

 public:
  using Base::Base;
  using typename Base::AWorld;
  using typename Base::Worlds;

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

 private:
  using Base::add;
  using Base::are_a_pair;
  using Base::calls_;
  using Base::finish;
  using Base::has_owners;
  using Base::has_several_permits;
  using Base::has_tokens;
  using Base::have_passed;
  using Base::incomplete_;
  using Base::is_full;
  using Base::is_in_the_way;
  using Base::is_reentrant;
  using Base::is_shared_lock;
  using Base::may_pass;
  using Base::model_;
  using Base::step_once;
  using Base::step_open;
  using Base::step_unknown;
  using Base::would_refuse;

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
        pass_through(
            world, is_acquire(one.action) ? one : other, acquire, out, [&](const AWorld& way, bool taking) {
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
          pass_through(world, one, acquire, out, [&](const AWorld& way, bool taking) {
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
};

}  // namespace holdfast::linear
