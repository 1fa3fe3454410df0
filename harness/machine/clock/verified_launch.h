// Starts a program on a clock page, in the way that suits it, and does not trust that before it was verified.
//
//   VerifiedLaunch launch(page, directory, {"redis-server", "redis.conf"});
//   launch.prepare(options);                              // of a Child, which is then started
//   ... wait until the program is up; the page may be moved meanwhile, for one that waits for a time to pass
//   launch.verify(child.process(), [&] { return what it says itself is the time; });
//   for ever after: page.set(...); launch.after_move(child.process());
//
// The way is chosen by what the program is (clock_way_of), and by what its loader will do: it takes no
// library for a program with rights of its own (set-user-ID, file capabilities), nor from a directory where
// nothing may be executed. Then the library lies in memory, or the vDSO is redirected, which takes ptrace.
//
// A page of real time that was not moved proves nothing: who lives on it says the same as who does not.
//
// What cannot be done, or was not followed, is a LiveError of one sentence that says what to do.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/machine/clock/clock_page.h"
#include "harness/machine/clock/launch.h"
#include "harness/machine/process/child.h"

namespace holdfast {

class VerifiedLaunch {
 public:
  // `page` must outlive it; `directory` may be written. Of `command` only the program counts.
  VerifiedLaunch(ClockPage& page, const std::filesystem::path& directory,
                 const std::vector<std::string>& command);

  // For every start of the program; this object must outlive the making of the Child.
  void prepare(live::ChildOptions& options);

  // When the program is up: whether it lives on the page.
  void verify(pid_t process) const;
  // The same, and what it says itself is compared: `says_wall_ns` asks it for the time since 1970. On a page
  // of real time plus offsets the first call moves the wall clock back by an hour for as long as the question
  // takes, since real time would prove nothing; later ones do not, for by then it may have data.
  void verify(pid_t process, const std::function<std::int64_t()>& says_wall_ns);
  // The same of a program that is not asked, but says it when it is up: `said_ns`, which it read since the
  // page was at `before_ns`. Whoever starts it on a page of real time has moved the page before.
  void verify_said(pid_t process, std::int64_t before_ns, std::int64_t said_ns) const;

  // After the page was moved: does what is needed for the program to see it while it waits.
  void after_move(pid_t process) const { launch_.after_move(process); }

  ClockWay way() const { return way_; }

 private:
  void compare(const std::function<std::int64_t()>& says_wall_ns) const;
  void compare(std::int64_t before_ns, std::int64_t said_ns) const;

  ClockPage& page_;
  std::filesystem::path program_;
  std::filesystem::path shim_;
  ClockWay way_;
  ClockLaunch launch_;
  std::uint64_t count_at_ = 0;  // of the readings, in the memory of the one that was started last; 0: none
  bool has_moved_ = false;
};

}  // namespace holdfast
