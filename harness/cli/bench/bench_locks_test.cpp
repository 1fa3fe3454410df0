// holdfast bench locks: what it takes, and the shape of what it tells, with a real redis-server. Never how
// fast anything was.
#include "harness/cli/bench/bench_locks.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/text/bad_input.h"

namespace holdfast::cli {
namespace bench_locks_test {

using Json = nlohmann::json;

TEST(BenchLocksOptions, ClientsAreAListOfNumbers) {
  EXPECT_EQ(client_counts_from("1,2,32"), (std::vector<std::size_t>{1, 2, 32}));
  for (const char* wrong : {"", "0", "1,", ",1", "1,,2", "two", "1 2", "101", "-1"}) {
    EXPECT_THROW(client_counts_from(wrong), BadInput) << wrong;
  }
}

TEST(BenchLocksOptions, TheTimeOfACellIsADurationWithinReason) {
  EXPECT_EQ(bench_duration_from("50ms"), 50ms);
  EXPECT_EQ(bench_duration_from("60s"), 60s);
  for (const char* wrong : {"", "5", "1ms", "2min", "ttl", "-1s", "1s + ttl"}) {
    EXPECT_THROW(bench_duration_from(wrong), BadInput) << wrong;
  }
}

TEST(BenchLocksOptions, ALockThatIsNotOnRedisIsRefused) {
  BenchLocksOptions options;
  options.locks = {"local-mutex"};
  EXPECT_THROW(measure_locks(options, Terminal{}), BadInput);
}

Json measured(std::vector<std::string> locks) {
  BenchLocksOptions options;
  options.locks = std::move(locks);
  options.clients = "1,2";
  options.lasts = "50ms";
  options.json = true;
  return Json::parse(measure_locks(options, Terminal{})).at("locks");
}

void expect_sound(const Json& cell) {
  EXPECT_GT(cell["cycles"], 0);
  EXPECT_GT(cell["cycles_per_second"], 0);
  const Json& acquire = cell["acquire_us"];
  EXPECT_GT(acquire["p50"], 0);
  EXPECT_LE(acquire["p50"], acquire["p95"]);
  EXPECT_LE(acquire["p95"], acquire["p99"]);
  EXPECT_LE(acquire["p99"], acquire["max"]);
  EXPECT_GT(cell["jain"], 0);
  EXPECT_LE(cell["jain"], 1.000001);
  EXPECT_GE(cell["most_cycles"], cell["least_cycles"]);
  EXPECT_GT(cell["server_cpu_us_per_cycle"], 0);
  EXPECT_EQ(cell["failures"], 0);
}

TEST(BenchLocks, MeasuresEveryNumberOfClientsOnOwnKeysAndOnOne) {
  const Json cells = measured({"redis-px-cad"}).at(0).at("cells");
  ASSERT_EQ(cells.size(), 4U);
  for (std::size_t index = 0; index < cells.size(); ++index) {
    const Json& cell = cells[index];
    EXPECT_EQ(cell["clients"], index < 2 ? 1 : 2);
    EXPECT_EQ(cell["contended"], index % 2 == 1);
    EXPECT_EQ(cell.contains("ratio"), index % 2 == 0);
    expect_sound(cell);
  }
  // SET and EVAL are sent; the script does GET and DEL. A cycle that is cut short at the end weighs little.
  EXPECT_NEAR(cells[0]["round_trips_per_cycle"].get<double>(), 2, 0.5);
  EXPECT_NEAR(cells[0]["commands_per_cycle"].get<double>(), 4, 1);
}

TEST(BenchLocks, GivesALockTheServersItNeedsAndSaysWhyThereIsNoRatio) {
  const Json locks = measured({"redis-px-cad-wait", "redisson-multi"});
  ASSERT_EQ(locks.size(), 2U);
  for (const Json& lock : locks) {
    for (const Json& cell : lock["cells"]) {
      expect_sound(cell);
    }
  }
  EXPECT_TRUE(locks[0].contains("no_ratio"));
  EXPECT_FALSE(locks[0]["cells"][0].contains("ratio"));
  EXPECT_TRUE(locks[1]["cells"][0].contains("ratio"));
}

TEST(BenchLocks, SaysWhyALockCannotBeMeasured) {
  const Json lock = measured({"redis-lua-000"}).at(0);
  EXPECT_TRUE(lock["cells"].empty());
  EXPECT_TRUE(lock["not_measured"].get<std::string>().starts_with("release: ERR")) << lock;
}

TEST(BenchLocks, TellsItAsATable) {
  BenchLocksOptions options;
  options.locks = {"redis-px-del", "redis-lua-000"};
  options.clients = "2";
  options.lasts = "10ms";
  const std::string text = measure_locks(options, Terminal{});
  for (const char* part : {"redis-px-del\n", "cycles/s", "p99", "redis-server ", "not measured: release: ERR",
                           "relative to redis-benchmark"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

}  // namespace bench_locks_test
}  // namespace holdfast::cli
