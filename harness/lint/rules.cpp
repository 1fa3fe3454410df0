#include "harness/lint/rules.h"

#include <algorithm>
#include <array>

namespace holdfast::lint {

std::span<const Rule> rules() {
  static constexpr std::array all = {
      Rule{"system-clock", "a run reads only the clocks of its processes: ask Env or the kernel.",
           find_system_clocks},
      Rule{"randomness",
           "every decision goes through choose(); the standard library's generators and "
           "distributions differ between implementations.",
           find_randomness},
      Rule{"threads", "a run is one thread; only whole runs are spread over cores.", find_threads},
      Rule{"thread-local", "state that outlives a run lets one run change the next.", find_thread_locals},
      Rule{"sleeping", "tests and runs never wait in real time: sleep on a virtual clock.", find_sleeping},
      Rule{"printing", "only the command line talks to the user: return the text instead.", find_printing},
      Rule{"file-opening",
           "a file that somebody named may be a device, a pipe, a link or half written: read it with "
           "InputFile "
           "and write it with OutputFile (harness/files).",
           find_file_opening},
      Rule{"unordered-iteration",
           "the order of an unordered container is the implementation's: iterate "
           "over a vector or a std::map.",
           find_unordered_iteration},
      Rule{"pointer-order", "addresses differ from run to run: order by an id.", find_pointer_order},
      Rule{"mutable-state",
           "state outside objects lets one run change the next: put it into an object "
           "that the run owns.",
           find_mutable_state},
      Rule{"file-length", "a file over 500 lines is asking to be two.", find_long_files},
      Rule{"pragma-once", "a header says #pragma once, so that it can be included twice.",
           find_missing_pragma_once},
      Rule{"header-comment", "a header opens with its contract, as a comment.", find_missing_header_comment},
      Rule{"machine-path",
           "a path of one machine is wrong on all others: use the source or a temporary "
           "directory that is asked for.",
           find_machine_paths},
      Rule{"whitespace",
           "tabs, carriage returns, trailing blanks and a missing last newline only make "
           "noise in diffs.",
           find_stray_whitespace},
  };
  return all;
}

const Rule& rule_named(std::string_view name) {
  return *std::ranges::find(rules(), name, &Rule::name);
}

}  // namespace holdfast::lint
