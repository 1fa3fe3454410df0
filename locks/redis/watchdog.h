// redis-watchdog: the lock of hash_reentrant.h with a timer that renews it (see watchdog.cpp).
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "locks/redis/hash_reentrant.h"

namespace holdfast {

inline constexpr std::string_view watchdog_renew_script = R"(if redis.call('hexists',KEYS[1],ARGV[1]) == 1
then
    return redis.call('expire',KEYS[1],ARGV[2])
else
    return 0
end)";

class Watchdog : public HashReentrantLock {
 public:
  using HashReentrantLock::HashReentrantLock;

 protected:
  void on_granted(Caller& me) override;
  void on_gone(Caller& me) override { timer_of_.erase(me.env.thread()); }
  virtual Duration renewal_interval() const { return settings().ttl / 3; }

 private:
  Task<> keep_renewing(Caller holder, std::uint64_t timer);
  bool is_current(const Caller& holder, std::uint64_t timer) const;

  std::map<std::uint32_t, std::uint64_t> timer_of_;  // by thread: the timer that renews for it
  std::uint64_t timers_started_ = 0;
};

}  // namespace holdfast
