#include "harness/lint/allowances.h"

#include <array>

namespace holdfast::lint {

std::span<const Allowance> allowances() {
  static constexpr std::array all = {
      Allowance{"harness/cli/*", "printing", "The command line is the door to the user."},
      Allowance{"*_test.cpp", "printing", "A test may show what it saw."},
      Allowance{"harness/machine/clock/test_probe.h", "printing",
                "The standard output it names is that of the programs it starts for a test."},
      Allowance{"harness/check/example/*", "printing", "A program of its own, as a user would write it."},
      Allowance{"harness/machine/process/guard.cpp", "mutable-state",
                "One guard cleans up after all runs of a process; no run sees it."},
      Allowance{"harness/machine/process/send_signal.cpp", "signals", "The door itself."},
      Allowance{
          "harness/files/output_file_test.cpp", "signals",
          "Ends a child of the test's own, below the room that has the door; it asserts that it is one."},
      Allowance{"harness/stores/redis/server/warp_test.cpp", "mutable-state",
                "The tests of all locks share the real servers, as runs do."},
      Allowance{"harness/lint/*", "file-opening", "Reads our own sources."},
      Allowance{"harness/files/*", "file-opening", "The door to files that people name."},
      Allowance{"*_test.cpp", "file-opening", "A test prepares its own files."},
      Allowance{"*/test_*.h", "file-opening", "What tests share does, too."},
      Allowance{"harness/machine/*", "file-opening", "Only /proc, and what lies in a directory of our own."},
      Allowance{"harness/stores/redis/server/*", "file-opening",
                "Only a server's configuration and log, in a directory of our own."},
      Allowance{"harness/live/*", "file-opening",
                "Only what a program of ours said, in a directory of our own."},
      Allowance{"harness/cli/bench/bench_memory.cpp", "file-opening", "The kernel's own figures, in /proc."},
      Allowance{"harness/cli/terminal/output.cpp", "file-opening",
                "Descriptors that we were started without are opened on /dev/null."},
      Allowance{"harness/files/unfinished_name.cpp", "mutable-state",
                "A signal handler can look at nothing else; no run sees it."},
      Allowance{"harness/files/unfinished_name.cpp", "threads",
                "Several threads write files, and a signal may come in the middle of any."},
      Allowance{"harness/files/random_name.cpp", "randomness",
                "A name that nobody can guess must not be chosen by a seed; no run sees it."},
      Allowance{"harness/machine/stopwatch.h", "system-clock",
                "Measures what a person waits for; no run sees it."},
      Allowance{"harness/cli/bench/bench_check.cpp", "system-clock", "Measures the processor's time."},
      Allowance{"harness/cli/terminal/terminal.*", "system-clock", "A progress bar redraws by real time."},
      Allowance{"harness/check/linear/time_limit.*", "system-clock",
                "A search that takes too long is given up by real time; its answer is then \"unknown\"."},
      Allowance{"harness/kernel/frame_pool.*", "thread-local",
                "Freed frames are reused by later runs of the same thread; a frame's content never is."},
      Allowance{"harness/kernel/require.cpp", "printing",
                "Where nothing can be thrown, a bug of holdfast's is told before the program ends."},
      Allowance{
          "harness/kernel/require.cpp", "thread-local",
          "How to see a run again, for the sentence that a bug of holdfast's ends with; no run reads it."},
      Allowance{"harness/kernel/require_test.cpp", "threads",
                "What a thread is handed can only be tried on one."},
      Allowance{"harness/explore/parallel.*", "threads",
                "Spreads whole runs over cores; no run sees another."},
      Allowance{"harness/mutate/mutants.cpp", "threads",
                "Whole runs on several threads ask for the same mutants, which are found once."},
      Allowance{"harness/files/output_file_test.cpp", "threads",
                "A thread can have a user and mounts of its own, and need not start a process for it."},
      Allowance{"harness/machine/clock/verified_launch_test.cpp", "threads",
                "A thread can have a user and mounts of its own, and need not start a process for it."},
      Allowance{"harness/machine/process/fork_apart*", "threads",
                "While a thread forks, signals for it have to wait."},
      Allowance{"harness/machine/*", "system-clock", "Real processes run on real time."},
      Allowance{"harness/machine/*", "sleeping", "A real process takes real time to start and to end."},
      Allowance{"harness/stores/*/server/*", "system-clock", "Real servers run on real time."},
      Allowance{"harness/stores/*/server/*", "sleeping",
                "A real server takes real time to start and to end."},
      Allowance{"harness/live/*", "system-clock", "The live world runs on real time."},
      Allowance{"harness/live/*", "sleeping", "A real process takes real time to start and to end."},
      Allowance{"harness/stores/redis/server/live/key_keeper.cpp", "printing",
                "It outlives the command, and is the only one left to say what stays."},
      Allowance{"harness/live/client/client_program.cpp", "printing",
                "A client process speaks its protocol on standard output."},
  };
  return all;
}

bool fits(std::string_view path, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) {
    return path == pattern;
  }
  if (!path.starts_with(pattern.substr(0, star))) {
    return false;
  }
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t skipped = star; skipped <= path.size(); ++skipped) {
    if (fits(path.substr(skipped), rest)) {
      return true;
    }
  }
  return false;
}

bool is_door(const Allowance& allowance) {
  return allowance.files.ends_with("/*") || allowance.files == "*_test.cpp";
}

}  // namespace holdfast::lint
