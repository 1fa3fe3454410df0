// How to start a program so that it lives on a clock page.
//
// Two ways, and a program is of one kind or the other: libc programs (C, C++, Python, Java, Rust) get a
// preloaded library by their environment, which replaces readings and timed waits; programs that do without
// libc (Go, static ones) get their vDSO redirected, which replaces readings only. Whoever starts programs
// does the following and need not know which way it is:
//
//   const ClockLaunch launch(page.file(), shim, ClockWay::libc);
//   ... make an environment that has launch.environment(), and fork ...
//   in the child:  if (launch.in_child()) { execve(...); } _exit(127);
//   in the parent: launch.in_parent(child);
//   for ever after: page.set(...); launch.after_move(child);
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {

enum class ClockWay { libc, vdso };

class ClockLaunch {
 public:
  // `shim` is where write_clock_shim() wrote the library; the vDSO's way does not look at it. A path that
  // cannot be told to a program is a std::runtime_error of one sentence.
  ClockLaunch(const std::filesystem::path& page, const std::filesystem::path& shim, ClockWay way);

  // Names and values to set for the program, in the place of any of the same name.
  const std::vector<std::pair<std::string, std::string>>& environment() const { return environment_; }
  // Between fork and exec. False: exec must not follow, in_parent() would wait for it in vain.
  bool in_child() const noexcept;
  // After the fork, by the thread that forked; returns when the program has started. Throws what
  // put_on_page() throws; the child is then gone. Returns where in its memory its readings are counted; 0:
  // nowhere (libc).
  std::uint64_t in_parent(pid_t child) const;
  // After the page was moved: does what is needed for the program to see it while it waits.
  void after_move(pid_t program) const;

 private:
  std::filesystem::path page_;
  ClockWay way_;
  std::vector<std::pair<std::string, std::string>> environment_;
};

// Empty, or one sentence that says why programs cannot be put on a clock page that way on this machine. Found
// out once, by tracing a child that does nothing; the answer is kept.
std::string why_no_virtual_time(ClockWay way);

}  // namespace holdfast
