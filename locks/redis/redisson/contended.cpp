#include "locks/redis/redisson/contended.h"

#include <algorithm>
#include <chrono>

namespace holdfast::redisson {

namespace {

Task<Acquired> out_of_patience(Contended& contended, Caller& me, AcquireRequest request) {
  co_await contended.give_up(me, request);
  co_return Acquired::busy("gave up waiting");
}

// Until when to wait for a message, on the monotonic clock: the shorter of the lease and the patience.
std::optional<Duration> next_attempt(const Caller& me, const Attempt& attempt, const Countdown& patience) {
  std::optional<Duration> wait;
  if (attempt.ttl_ms >= 0) {
    wait = std::chrono::milliseconds(attempt.ttl_ms);
  }
  if (patience.limited()) {
    wait = std::min(wait.value_or(patience.left()), patience.left());
  }
  if (!wait) {
    return std::nullopt;
  }
  return me.env.monotonic() + *wait;
}

Task<Acquired> wait_subscribed(Contended& contended, Caller& me, AcquireRequest request, Countdown patience,
                               redis::Mailbox& mailbox) {
  while (true) {
    const Attempt attempt = co_await contended.attempt(me, request);
    if (!attempt.is_busy()) {
      co_return attempt.result();
    }
    if (!patience.over()) {
      const std::optional<Duration> deadline = next_attempt(me, attempt, patience);
      if (co_await mailbox.arrival(deadline)) {
        me.env.mark(Mark::woken_by_message);
      }
    }
    if (patience.over()) {
      if (contended.looks_once_more()) {
        const Attempt last = co_await contended.attempt(me, request);
        if (!last.is_busy()) {
          co_return last.result();
        }
      }
      Acquired late = co_await out_of_patience(contended, me, request);
      co_return late;
    }
  }
}

}  // namespace

Task<> Contended::give_up(Caller& /*me*/, AcquireRequest /*request*/) {
  co_return;
}

Task<Acquired> wait_for_grant(Contended& contended, Caller& me, AcquireRequest request) {
  const Countdown patience(me.env, request.patience);
  const Attempt first = co_await contended.attempt(me, request);
  if (!first.is_busy()) {
    co_return first.result();
  }
  if (patience.over()) {
    Acquired late = co_await out_of_patience(contended, me, request);
    co_return late;
  }

  const std::string channel = contended.channel(me);
  redis::Client& connection = contended.connection(me);
  redis::Mailbox mailbox(me.env, connection);
  const redis::Answer subscribed = co_await connection.subscribe(channel, mailbox);
  Acquired result;
  if (!subscribed.threw()) {
    result = co_await wait_subscribed(contended, me, request, patience, mailbox);
  } else if (patience.limited()) {
    // tryLock takes a failed subscription for "not in time", lock() throws it.
    result = co_await out_of_patience(contended, me, request);
  } else {
    result = Acquired::unknown("cannot subscribe: " + subscribed.problem());
  }
  // Also after a failed subscription, which the server may have taken.
  co_await connection.unsubscribe(channel, mailbox);
  co_return result;
}

}  // namespace holdfast::redisson
