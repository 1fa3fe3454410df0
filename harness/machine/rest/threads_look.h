// A look at /proc: whether all threads of some processes sleep, and are the same in the same sleep as before.
//
// A thread that sleeps at two looks may have run between them; but then the kernel's count of its slices of
// processor time has changed. So two looks with equal counts, and nothing held that could go, are rest.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>

namespace holdfast::rest {

// Whether a thread is about to end, or has ended. A held thread says so too: one who ends its process ends
// all.
bool is_ending(pid_t process, pid_t thread);

class ThreadsLook {
 public:
  // Adds the threads of a process, leaving out those that are held. False: one of them does not sleep; or the
  // process is gone, which whoever waits for it will notice.
  bool add(pid_t process, const std::function<bool(pid_t)>& is_held);

  // Nobody but held threads: there is nothing to look at twice.
  bool is_empty() const { return slices_.empty(); }
  bool operator==(const ThreadsLook&) const = default;

 private:
  std::map<pid_t, std::uint64_t> slices_;
};

}  // namespace holdfast::rest
