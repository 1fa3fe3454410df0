// Runs a C program with the preloaded library: every clock, and every kind of timed wait.
#include "harness/machine/clock/shim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "harness/machine/clock/test_probe.h"
#include "harness/machine/process/send_signal.h"

namespace holdfast {
namespace shim_test {

using namespace test_probe;
using testing::HasSubstr;
using testing::StartsWith;

class Shim : public testing::Test {
 protected:
  void SetUp() override {
    write_clock_shim(folder_.file("clock.so"));
    compile_probe("");
    page_.set(start_wall_ns, start_mono_ns);
    launch_ = std::make_unique<ClockLaunch>(page_.file(), folder_.file("clock.so"), ClockWay::libc);
    start();
  }
  void compile_probe(const std::string& options) {
    ASSERT_TRUE(succeeds("cc -O1 -w -pthread " + options + " -o " + folder_.file("probe").string() + " " +
                         source_of("probe.c")));
  }
  void start() {
    program_ = std::make_unique<Program>(*launch_, std::vector{folder_.file("probe").string()});
  }
  // Both clocks, by that much from the start.
  void move_to(std::int64_t length_ns) { page_.set(start_wall_ns + length_ns, start_mono_ns + length_ns); }

  const Folder folder_;
  ClockPage page_{folder_.file("page")};
  std::unique_ptr<ClockLaunch> launch_;
  std::unique_ptr<Program> program_;
};

TEST_F(Shim, AnswersForEveryClockButTheProcessorsOwn) {
  const std::string wall = std::to_string(start_wall_ns);
  const std::string mono = std::to_string(start_mono_ns);
  const std::string microseconds = std::to_string(start_wall_ns / 1000);
  const std::string seconds = std::to_string(start_wall_ns / second_ns);
  EXPECT_EQ(program_->ask("all clocks"), wall + " " + wall + " " + mono + " " + mono + " " + mono + " " +
                                             mono + " " + microseconds + " " + seconds + " same own");
}

TEST_F(Shim, EndsAWaitWhenWhatItIsForComesThoughTheClockStandsStill) {
  EXPECT_EQ(program_->ask("meet"), "0 0 1");
}

TEST_F(Shim, LetsASignalEndASleepWithWhatIsLeftOfIt) {
  EXPECT_EQ(program_->ask("interrupt 3600"), "waiting");
  program_->settle();
  move_to(hour_ns / 4);
  live::send_signal(program_->pid(), SIGUSR1);
  EXPECT_EQ(program_->answer(), "-1 interrupted 2700");
}

TEST_F(Shim, SleepsABackOffInRealTimeThoughTheClockStandsStill) {
  page_.set_back_off(second_ns / 10);
  EXPECT_EQ(program_->ask("wait 0.1 nanosleep"), "waiting");
  EXPECT_EQ(program_->answer(), "timed out");
  EXPECT_EQ(program_->ask("clocks"), readings(start_wall_ns, start_mono_ns));
}

// A disk that would fail all of it is not asked for files and directories.
TEST_F(Shim, WaitsForNoDiskOnVirtualTime) {
  EXPECT_EQ(program_->ask("sync"), "0 0 0 0 -1 -1");
  page_.set_offsets(0, 0);
  start();
  EXPECT_EQ(program_->ask("sync"), "-1 -1 -1 -1 -1 -1");
}

TEST_F(Shim, AddsOffsetsToRealTimeWithoutChangingLengths) {
  page_.set_offsets(0, 0);
  start();
  std::int64_t wall_before = 0;
  std::int64_t mono_before = 0;
  std::istringstream(program_->ask("clocks")) >> wall_before >> mono_before;
  page_.set_offsets(1000 * hour_ns, 500 * hour_ns);
  std::int64_t wall = 0;
  std::int64_t mono = 0;
  std::istringstream(program_->ask("clocks")) >> wall >> mono;
  EXPECT_GE(wall - wall_before, 1000 * hour_ns);
  EXPECT_LT(wall - wall_before, 1001 * hour_ns);
  EXPECT_GE(mono - mono_before, 500 * hour_ns);
  EXPECT_LT(mono - mono_before, 501 * hour_ns);
  for (const std::string kind : {"nanosleep", "poll", "condition", "steady_condition", "semaphore", "wall"}) {
    EXPECT_EQ(program_->ask("wait 0.1 " + kind), "waiting");
    EXPECT_EQ(program_->answer(), "timed out") << kind;
  }
}

TEST_F(Shim, LetsAnAllocatorAskForTheTime) {
  page_.set_offsets(hour_ns, hour_ns);
  compile_probe("-DALLOCATOR_ASKS_FOR_THE_TIME");
  start();
  EXPECT_EQ(program_->ask("wait 0.1 nanosleep"), "waiting");
  EXPECT_EQ(program_->answer(), "timed out");
}

TEST_F(Shim, NeverShowsATimeBelowZero) {
  page_.set_offsets(0, -1'000'000 * hour_ns);
  EXPECT_THAT(program_->ask("clocks"), testing::EndsWith(" 0"));
}

TEST_F(Shim, LeavesAProgramWithoutAPageInRealTime) {
  std::filesystem::remove(page_.file());
  start();
  EXPECT_THAT(program_->ask("clocks"), testing::Not(StartsWith(std::to_string(start_wall_ns))));
  EXPECT_EQ(program_->ask("wait 0 condition"), "waiting");
  EXPECT_EQ(program_->answer(), "timed out");
}

class ShimWait : public Shim, public testing::WithParamInterface<std::string> {};

// Not one nanosecond too early, and at once when it is time.
TEST_P(ShimWait, EndsWhenThePageReachesItsDeadline) {
  ASSERT_EQ(program_->ask("wait 3600 " + GetParam()), "waiting");
  program_->settle();
  move_to(hour_ns - 1);
  EXPECT_EQ(program_->answer_within(30), "(nothing)");
  move_to(hour_ns);
  EXPECT_EQ(program_->answer(), "timed out");
}

INSTANTIATE_TEST_SUITE_P(Of, ShimWait,
                         testing::Values("nanosleep", "usleep", "wall", "monotonic", "condition",
                                         "steady_condition", "poll", "ppoll", "select", "epoll", "semaphore",
                                         "futex"),
                         [](const auto& tested) { return tested.param; });

TEST(ClockShim, SaysWhyItCannotBeWritten) {
  const Folder folder;
  try {
    write_clock_shim(folder.file("missing") / "clock.so");
    FAIL() << "written to a folder that is not there";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot write the library"));
  }
}

}  // namespace shim_test
}  // namespace holdfast
