// Nothing is left behind: a small process of our own that outlives us just long enough to clean up.
//
// It knows which processes and directories are ours. When we end, in whatever way (SIGKILL included), it
// kills those processes, with their process groups, and removes those directories. A process is known by a
// descriptor, not only by its number, so nobody else's process can be hit. What our processes started outside
// of their groups, as one does that becomes a daemon, is known by a mark (descent_mark.h), which it
// inherited. One guard per process; made at the first use.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "harness/machine/process/descent_mark.h"

namespace holdfast::live {

class Guard {
 public:
  // The one of this process. Throws LiveError if it cannot be started.
  static Guard& instance();

  Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() = default;  // only our end closes the pipe

  // From now on it goes when we go. The process must be a child of ours that has not been waited for.
  void watch(pid_t process);
  void watch(const std::filesystem::path& directory);
  // It is gone already.
  void forget(pid_t process);
  void forget(const std::filesystem::path& directory);

  // What every process of ours has to wear.
  DescentMark mark() const { return mark_; }

  // The guard's own process; for tests.
  pid_t process() const { return process_; }

 private:
  void tell(const std::string& message) const;

  DescentMark mark_;
  int pipe_ = -1;
  pid_t process_ = -1;
};

}  // namespace holdfast::live
