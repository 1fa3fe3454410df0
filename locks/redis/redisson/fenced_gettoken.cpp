// redisson-fenced-gettoken (beyond the sources: RFencedLock): lock(), then getToken(), as in Redisson 4.7.0
// (conformance/).
//
// The lock of fenced.cpp used the other way its interface offers: the grant increments the counter but
// says nothing, and the token is read with a command of its own.
//
// Known to get wrong, beside all that redisson-fenced does: the token is the counter's value of *now*. Who
// was paused between the two steps, for longer than the lease, reads the token of the present holder and
// passes every check with it: fencing does not help. If reading it throws, the lock stays held, and the
// watchdog renews it, though the caller never came to its work.
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "locks/redis/redisson/designs.h"
#include "locks/redis/redisson/names.h"
#include "locks/redis/redisson/rlock.h"

namespace holdfast {
namespace redisson {

namespace {

// KEYS: lock, token. ARGV: lease in ms, my field.
constexpr std::string_view gettoken_try_lock_script = R"lua(
if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
  redis.call('incr', KEYS[2])
  redis.call('hincrby', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], ARGV[1])
  return nil
end
return redis.call('pttl', KEYS[1])
)lua";

// Nothing if the server has lost the counter.
std::optional<std::int64_t> to_token(const redis::Reply& reply) {
  std::int64_t token = 0;
  const char* end = reply.text.data() + reply.text.size();
  const auto parsed = std::from_chars(reply.text.data(), end, token);
  return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(token) : std::nullopt;
}

class FencedLockGetToken : public RLock {
 public:
  explicit FencedLockGetToken(LockSettings lock_settings)
      : RLock(std::move(lock_settings)), token_key_(prefix_name("redisson_lock_token", settings().key)) {}

  Task<Acquired> acquire(Caller& me, AcquireRequest request) override {
    Acquired locked = co_await RLock::acquire(me, request);
    if (!locked.ok()) {
      co_return locked;
    }
    const redis::Answer answer = co_await connection(me).command("GET", token_key_);
    if (answer.threw()) {
      co_return Acquired::unknown("locked, but cannot read the token: " + answer.problem());
    }
    co_return Acquired::granted(to_token(answer.reply));
  }

 protected:
  Task<Synced> try_lock(Caller& me, AcquireRequest /*request*/) override {
    return evaluate(me, gettoken_try_lock_script, 2, settings().key, token_key_, lease_ms(), my_field(me));
  }

 private:
  std::string token_key_;
};

}  // namespace

}  // namespace redisson

std::unique_ptr<Lock> make_redisson_fenced_gettoken(LockSettings settings) {
  return std::make_unique<redisson::FencedLockGetToken>(std::move(settings));
}

}  // namespace holdfast
