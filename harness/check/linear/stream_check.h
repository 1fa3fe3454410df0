// The search for a linearization in one pass, for locks: what the fast checks refer to it is mostly decided
// here, without the whole history in memory.
//
// What makes a fast check refer to a search is choice. A refused attempt needs an instant of its interval at
// which the lock was taken: if none is known, an acquire that is still open happened earlier than it had to,
// but which one? So all that may be true is carried along, as *worlds*: a world is a state of the model,
// which of the open calls have happened in it, which of them could have been refused meanwhile, and which
// calls with unknown outcome it has not used yet. Why that is exact:
//
// - Calls happen as late as they can. Any linearization can be changed so that each call happens just before
//   some return, by moving its instant forward past invocations, and past returns that do not depend on it.
//   So worlds change when something returns, and what a world has not done it can do later.
// - Just before a grant returns, whoever stands in its way must let go (its open release, or one with unknown
//   outcome, happens). Just before that, holds that nobody knew of may come and go: an acquire and a release
//   of one client, of which at least one is still to return. Nothing else has to come before it.
// - A refusal is an observation. Each world notes, whenever its state changes, which open calls could have
//   been refused there. If at its return a refused call was not, the lock is taken now, by any acquire that
//   may happen: a world for each.
// - A world is forgotten if another one can do all that it can: the same with more left. Of locks without
//   owners a world that has done less is such a one, whatever its state: it can catch up.
//
// Memory is for what is open and for some calls with unknown outcome, the latest ones. If there are too many
// of them, or too many worlds, some are dropped: "linearizable" remains proven, "violated" is then no longer,
// and the answer is `search`.
//
// Beside it runs the fast check of the same history without its refusals: what that calls violated is so, and
// it says why.
#pragma once

#include <memory>

#include "harness/check/linear/fast.h"

namespace holdfast::linear {

// Sees what a FastCheck sees, and answers alike.
class StreamCheck {
 public:
  StreamCheck() = default;
  StreamCheck(const StreamCheck&) = delete;
  StreamCheck& operator=(const StreamCheck&) = delete;
  virtual ~StreamCheck() = default;

  virtual void observe(const CallEvent& event, Position position) = 0;
  virtual const FastVerdict& verdict() const = 0;
};

// Nothing if the model is no lock's.
std::unique_ptr<StreamCheck> make_stream_check(const AnyModel& model, Reading reading = {});

}  // namespace holdfast::linear
