// The yardstick: what Redis's own redis-benchmark reaches on the same server.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "harness/machine/net/socket.h"
#include "harness/stores/redis/command.h"

namespace holdfast::live {

// A command of a cycle, and how many times it is sent in it (to one server or another).
struct CycleCommand {
  redis::Command command;
  std::size_t times = 1;
};

// The commands of one cycle on `key`, each once, with a place for redis-benchmark's random keys instead of
// the key: so that an acquire finds its key free, as it does without contention. A release finds it free,
// too, and may have less to do than a real one.
std::vector<CycleCommand> benchmark_commands(const std::vector<redis::Command>& cycle, std::string_view key);

// Whether redis-benchmark can do the same as a client: WAIT returns at once to who has written nothing.
bool can_be_benchmarked(const std::vector<CycleCommand>& commands);

struct BenchmarkRequest {
  Endpoint server;
  std::size_t connections = 1;
  std::uint64_t requests = 1000;
  std::filesystem::path directory;  // for what it prints
};
// Replies a second. Throws LiveError: not installed, does not work.
double redis_benchmark_rate(const BenchmarkRequest& request, const redis::Command& command);

// The rate in what `redis-benchmark --csv` printed, whatever stands in the command that it repeats; 0: none.
double rate_in(std::string_view csv);

}  // namespace holdfast::live
