#include "locks/lock.h"

namespace holdfast {

Task<Acquired> SpinningLock::acquire(Caller& me, AcquireRequest request) {
  const Duration deadline = me.env.monotonic() + request.patience.value_or(never - me.env.monotonic());
  while (true) {
    Acquired attempt = co_await try_once(me, request);
    if (attempt.outcome != Acquired::Outcome::failed) {
      co_return attempt;
    }
    if (me.env.monotonic() >= deadline) {
      co_return Acquired::busy("gave up waiting");
    }
    co_await me.env.sleep(retry_pause(me));
  }
}

}  // namespace holdfast
