// The yardstick of Redis: what its own redis-benchmark reaches on the same server.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/stores/bench_servers.h"
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

struct RedisBenchmarkOptions {
  std::string socket;               // of the server
  std::filesystem::path directory;  // for what it prints
  bool has_password = false;        // which it takes on its command line only, where everybody could read it
};

class RedisBenchmark final : public Yardstick {
 public:
  explicit RedisBenchmark(RedisBenchmarkOptions options) : options_(std::move(options)) {}

  std::string_view name() const override { return "redis-benchmark"; }
  std::unique_ptr<StoreClient> listen(std::unique_ptr<StoreClient> client) override;
  void take_cycle(std::string_view key) override;
  std::string why_not() const override;
  std::vector<std::size_t> times() const override;
  double rate(std::size_t request, std::size_t connections, std::uint64_t requests) override;

 private:
  RedisBenchmarkOptions options_;
  std::vector<redis::Command> heard_;
  std::vector<CycleCommand> commands_;
};

// The rate in what `redis-benchmark --csv` printed, whatever stands in the command that it repeats; 0: none.
double rate_in(std::string_view csv);

}  // namespace holdfast::live
