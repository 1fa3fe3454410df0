// redisson-fenced (beyond the sources: RFencedLock): lockAndGetToken(), as in Redisson 4.7.0 (conformance/).
//
// The RLock of rlock.cpp with a counter beside it, which never expires. The script that grants also
// increments the counter, and the new value is the caller's fencing token: whoever guards the resource
// must refuse a token lower than the greatest it has seen. A re-entry gets a new token too.
//
// Known to get wrong: it loses the lock in every way in which redisson-rlock does, and only a resource
// that checks the token makes that harmless. The counter is as durable as the server: after a failover or
// a restart that loses it, tokens repeat, and a stale holder's may be the greatest. A token granted with
// a reply that was lost is a gap, which is fine. A grant that no replica has within a second is an exception,
// and, other than with redisson-rlock, it is neither given back nor renewed: it stands until its lease ends.
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "locks/redis/redisson/designs.h"
#include "locks/redis/redisson/names.h"
#include "locks/redis/redisson/rlock.h"

namespace holdfast {
namespace redisson {

namespace {

// Answers {-1, token} if granted, else {what the lease has left, -1}.
// KEYS: lock, token. ARGV: lease in ms, my field.
constexpr std::string_view fenced_try_lock_script = R"lua(
if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
  redis.call('hincrby', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], ARGV[1])
  return {-1, redis.call('incr', KEYS[2])}
end
return {redis.call('pttl', KEYS[1]), -1}
)lua";

class FencedLock : public RLock {
 public:
  using RLock::RLock;

 protected:
  Task<Synced> try_lock(Caller& me, AcquireRequest /*request*/) override {
    return evaluate(me, fenced_try_lock_script, 2, settings().key,
                    prefix_name("redisson_lock_token", settings().key), lease_ms(), my_field(me));
  }
  bool undoes_what_no_replica_has() const override { return false; }

  Attempt read_attempt(const redis::Answer& answer) const override {
    const std::int64_t ttl_ms = answer.reply.elements.at(0).number;
    const std::int64_t token = answer.reply.elements.at(1).number;
    return ttl_ms == -1 ? Attempt::granted(token) : Attempt::busy(ttl_ms);
  }
};

}  // namespace

}  // namespace redisson

std::unique_ptr<Lock> make_redisson_fenced(LockSettings settings) {
  return std::make_unique<redisson::FencedLock>(std::move(settings));
}

}  // namespace holdfast
