// redis-recursive-retry: who does not get the lock sleeps and calls itself.
//
// Origin: 003:L61: "do not recurse: many stack frames pile up and wait, and in the end the stock is
// reduced by the number of frames, not by 1". Around it, the lock of that page: SET NX PX with a value of
// one's own (003:L57), compare-and-delete to release (003:L100). The method it warns of is
//
//     void deduct() {
//       if (!tryLock()) { sleep(); deduct(); }
//       try { stock = stock - 1 } finally { unlock() }
//     }
//
// How acquire and release express it: the frames are kept on a stack per thread. acquire returns when the
// innermost frame has the lock. After its release the next frame out falls through to the work: the
// thread's next acquire is that, and it is granted at once, without a word to Redis; and so on outwards.
// extra_work says how many of them are still to come.
// An exception leaves all the frames, which then do no work.
// Known to get wrong: the work runs once per frame, and all but the innermost run it without the lock.
#include <cstdint>
#include <map>
#include <vector>

#include "locks/redis/client.h"
#include "locks/redis/designs.h"
#include "locks/redis/ttl.h"
#include "locks/redis/unlock.h"

namespace holdfast {
namespace {

class RecursiveRetry final : public Lock {
 public:
  using Lock::Lock;

  Task<Acquired> acquire(Caller& me, AcquireRequest request) override {
    std::vector<Frame>& stack = stacks_[me.env.thread()];
    if (!stack.empty() && !stack.back().working) {
      stack.back().working = true;  // its call of itself has returned
      co_return Acquired::granted();
    }
    const Duration deadline = request.patience ? me.env.monotonic() + *request.patience : never;
    Acquired result = co_await deduct(me, deadline);
    if (result.ok()) {
      stack.back().working = true;
    } else {
      unwind(stack);
    }
    co_return result;
  }

  Task<Released> release(Caller& me, LockMode) override {
    std::vector<Frame>& stack = stacks_[me.env.thread()];
    std::string request_id;  // of a thread that is in no frame: equal to no value in Redis
    if (!stack.empty() && stack.back().working) {
      request_id = stack.back().request_id;
      stack.pop_back();
    }
    Released result = co_await unlock_by_compare_and_delete(me, settings().key, request_id);
    if (result.outcome == Released::Outcome::unknown) {
      unwind(stack);
    }
    co_return result;
  }

  std::size_t extra_work(const Caller& me) const override {
    const auto at = stacks_.find(me.env.thread());
    return at == stacks_.end() ? 0 : at->second.size();
  }

 private:
  // One call of deduct() that has not returned.
  struct Frame {
    std::string request_id;
    bool working = false;
  };

  // deduct() up to the work.
  Task<Acquired> deduct(Caller& me, Duration deadline) {
    const std::string request_id = me.env.unique_id();
    stacks_[me.env.thread()].push_back({request_id});
    const redis::Answer set = co_await redis::client(me).command("SET", settings().key, request_id, "NX",
                                                                 "PX", ttl_milliseconds(settings().ttl));
    if (set.threw()) {
      co_return Acquired::unknown(set);
    }
    if (!set.is_ok()) {
      if (me.env.monotonic() >= deadline) {
        co_return Acquired::busy("gave up waiting");
      }
      co_await me.env.sleep(retry_pause(me));
      Acquired inner = co_await deduct(me, deadline);
      if (!inner.ok()) {
        co_return inner;
      }
    }
    co_return Acquired::granted();  // with the lock or, after the call above, without it
  }

  // Leaves every frame up to the one, if any, whose work made this call.
  static void unwind(std::vector<Frame>& stack) {
    while (!stack.empty() && !stack.back().working) {
      stack.pop_back();
    }
  }

  std::map<std::uint32_t, std::vector<Frame>> stacks_;  // by thread
};

}  // namespace

std::unique_ptr<Lock> make_redis_recursive_retry(LockSettings settings) {
  return std::make_unique<RecursiveRetry>(std::move(settings));
}

}  // namespace holdfast
