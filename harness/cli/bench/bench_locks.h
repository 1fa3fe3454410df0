// holdfast bench locks: how fast locks are on their real servers.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/terminal/terminal.h"
#include "harness/live/bench/lock_bench.h"

namespace holdfast::cli {

// The words of the command line.
struct BenchLocksOptions {
  std::vector<std::string> locks;  // patterns; none: every lock that has a real server
  std::string clients = "1,2,4,8,16,32";
  std::string lasts = "300ms";
  bool json = false;
  live::ServerPrograms programs;
};

// The whole report. Throws BadInput, or LiveError if a program is missing.
std::string measure_locks(const BenchLocksOptions& options, const Terminal& terminal);

// What it is made of. Both throw BadInput.
std::vector<std::size_t> client_counts_from(const std::string& list);
Duration bench_duration_from(const std::string& text);
std::string bench_locks_text(const std::vector<live::LockBench>& benches,
                             const live::LockBenchOptions& options, const Terminal& terminal);
std::string bench_locks_json(const std::vector<live::LockBench>& benches,
                             const live::LockBenchOptions& options);

}  // namespace holdfast::cli
