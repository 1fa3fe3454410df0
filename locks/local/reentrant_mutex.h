// A re-entrant mutex among the threads of one process: what ReentrantLock is to a JVM.
//
// Waiters are served first come, first served (as ReentrantLock(true) serves them; the default one lets
// a newcomer overtake). It lives and dies with the process's memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "locks/lock.h"

namespace holdfast {

class ReentrantMutex {
 public:
  // Waits at most `patience`, for ever without it.
  Task<Acquired> lock(Caller& me, std::optional<Duration> patience);
  // Refused if the caller is not the owner: IllegalMonitorStateException.
  Released unlock(Caller& me);

 private:
  std::unique_ptr<Semaphore> permit_;  // made by the first caller: a mutex knows its process only then
  std::optional<std::uint32_t> owner_thread_;
  std::int64_t holds_ = 0;
};

}  // namespace holdfast
