// redisson-latch (003:L167–171): getCountDownLatch; trySetCount(n); countDown() / await(), as in
// Redisson 4.7.0 (conformance/).
//
// A counter. Counting down takes one off; at zero the key is deleted and a message published. Who waits
// sleeps until a message and then looks at the counter again; no key reads as zero. A timed await looks once
// more when its time is over. No command waits for replicas.
//
// Known to get wrong:
// - A latch whose count was never set, or was lost by the server, is open: await returns at once.
// - A count-down is not tied to who does it. Repeated after a lost reply, it counts twice; done by a
//   process that crashed before it, it is missing for ever, and so is the latch's end.
// - Counting down what is not set makes and deletes a counter, and says nothing.
// - A lost message leaves a waiter asleep beside an open latch, for ever unless its await is timed.
// - A failover loses count-downs that were not replicated.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "locks/redis/client.h"
#include "locks/redis/redisson/contended.h"
#include "locks/redis/redisson/designs.h"
#include "locks/redis/redisson/names.h"

namespace holdfast {
namespace redisson {

namespace {

constexpr std::string_view zero_count_message = "0";
constexpr std::string_view new_count_message = "1";

// KEYS: count, channel. ARGV: count, message.
constexpr std::string_view try_set_count_script = R"lua(
if redis.call('exists', KEYS[1]) == 1 then
  return 0
end
redis.call('set', KEYS[1], ARGV[1])
redis.call('publish', KEYS[2], ARGV[2])
return 1
)lua";

// KEYS: count, channel. ARGV: message.
constexpr std::string_view count_down_script = R"lua(
local count = redis.call('decr', KEYS[1])
if count <= 0 then
  redis.call('del', KEYS[1])
end
if count == 0 then
  redis.call('publish', KEYS[2], ARGV[1])
end
)lua";

class RCountDownLatch : public Latch, private Contended {
 public:
  explicit RCountDownLatch(LockSettings settings) : key_(std::move(settings.key)) {}

  Task<Released> set_count(Caller& me, std::int64_t count) override {
    const redis::Answer answer = co_await redis::client(me).command("EVAL", try_set_count_script, 2, key_,
                                                                    channel(me), count, new_count_message);
    if (answer.threw()) {
      co_return Released::unknown(answer);
    }
    co_return answer.is(1) ? Released::done() : Released::refused("the count is already set");
  }

  Task<Released> count_down(Caller& me) override {
    const redis::Answer answer = co_await redis::client(me).command("EVAL", count_down_script, 2, key_,
                                                                    channel(me), zero_count_message);
    co_return answer.threw() ? Released::unknown(answer) : Released::done();
  }

  Task<Acquired> await_zero(Caller& me, std::optional<Duration> patience) override {
    return wait_for_grant(*this, me, {.patience = patience});
  }

 private:
  Task<Attempt> attempt(Caller& me, AcquireRequest /*request*/) override {
    const redis::Answer answer = co_await redis::client(me).command("GET", key_);
    if (answer.threw()) {
      co_return Attempt::threw(answer.problem());
    }
    const bool open = answer.is_nil() || answer.is("0");
    co_return open ? Attempt::granted() : Attempt::busy();
  }

  bool looks_once_more() const override { return true; }

  std::string channel(Caller& /*me*/) const override {
    return "redisson_countdownlatch__channel__{" + key_ + "}";
  }

  std::string key_;
};

}  // namespace

}  // namespace redisson

std::unique_ptr<Latch> make_redisson_latch(LockSettings settings) {
  return std::make_unique<redisson::RCountDownLatch>(std::move(settings));
}

}  // namespace holdfast
