// What is asked of redis-benchmark and how its answer is read, without running it.
#include "harness/stores/redis/server/bench/redis_benchmark.h"

#include <gtest/gtest.h>

#include "harness/kernel/require.h"
#include "harness/stores/redis/server/bench/redis_bench_servers.h"

namespace holdfast::live {
namespace redis_benchmark_test {

TEST(BenchmarkCommands, NamesEachCommandOnceWithARandomKeyForTheKey) {
  const redis::Command set = redis::make_command("SET", "k-1", "c1", "NX");
  const redis::Command script = redis::make_command("EVAL", "return 1", 2, "k-1", "channel:{k-1}");
  const std::vector<CycleCommand> commands = benchmark_commands({set, set, script}, "k-1");
  ASSERT_EQ(commands.size(), 2U);
  EXPECT_EQ(commands[0].times, 2U);
  EXPECT_EQ(commands[0].command[1], "holdfast-bench-__rand_int__");
  EXPECT_EQ(commands[1].times, 1U);
  EXPECT_EQ(commands[1].command[4], "channel:{holdfast-bench-__rand_int__}");
}

TEST(BenchmarkCommands, WaitHasNoCounterpart) {
  EXPECT_TRUE(can_be_benchmarked({{redis::make_command("GET", "k"), 1}}));
  EXPECT_FALSE(
      can_be_benchmarked({{redis::make_command("GET", "k"), 1}, {redis::make_command("WAIT", 1, 0), 1}}));
}

TEST(RedisBenchmark, ShowsNobodyAPassword) {
  const RedisBenchmark open({.socket = "s", .directory = {}});
  EXPECT_EQ(open.why_not(), "");
  RedisBenchmark closed({.socket = "s", .directory = {}, .has_password = true});
  EXPECT_NE(closed.why_not(), "");
  EXPECT_THROW(closed.rate(0, 1, 1), BrokenInvariant);
}

TEST(RateIn, IsFoundBehindACommandWithQuotesAndLines) {
  EXPECT_DOUBLE_EQ(rate_in("\"test\",\"rps\",\"avg_latency_ms\",\"min_latency_ms\",\"p50_latency_ms\","
                           "\"p95_latency_ms\",\"p99_latency_ms\",\"max_latency_ms\"\n"
                           "\"EVAL if a == \"1\",\"2\" then\n return end\",\"41666.67\",\"0.012\",\"0.008\","
                           "\"0.015\",\"0.023\",\"0.039\",\"0.111\"\n"),
                   41666.67);
  EXPECT_DOUBLE_EQ(rate_in("Could not connect to Redis"), 0);
}

TEST(CommandsIn, CountsWhatLocksAskForOnly) {
  EXPECT_EQ(
      commands_in("# Commandstats\r\n"
                  "cmdstat_set:calls=10,usec=33,usec_per_call=3.30,rejected_calls=0,failed_calls=0\r\n"
                  "cmdstat_eval:calls=7,usec=1,usec_per_call=1.00,rejected_calls=0,failed_calls=0\r\n"
                  "cmdstat_info:calls=100,usec=1,usec_per_call=1.00,rejected_calls=0,failed_calls=0\r\n"
                  "cmdstat_config|get:calls=5,usec=1,usec_per_call=1.00,rejected_calls=0,failed_calls=0\r\n"),
      17U);
}

}  // namespace redis_benchmark_test
}  // namespace holdfast::live
