// What a lock may know: names that tell incarnations apart, random numbers of its own, points that a fault
// can strike, and threads that die with their process.
#include "harness/env/env.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/kernel/test_kernel.h"

namespace holdfast {
namespace {

using ::testing::ElementsAre;

class EnvTest : public ::testing::Test, public StepObserver {
 protected:
  EnvTest() {
    steps.reset(world.kernel.process_count());
    steps.observe(*this);
    world.kernel.spawn(world.b, sleep_and_note(world, world.b, ClockKind::monotonic, 1s, "end"));
  }
  ~EnvTest() override { world.kernel.stop(); }
  void on_step(const Step& step) override {
    world.note("at " + std::string(step.name));
    if (strike) {
      strike();
    }
  }
  Task<> pass(std::string_view name) {
    const Farewell farewell(world, "frame gone");
    co_await env.point(name);
    world.note("passed");
  }
  Task<> sleep_for(Duration duration) {
    co_await env.sleep(duration);
    world.note("slept");
  }

  TestKernel world;
  Steps steps;
  Env env{world.kernel, steps, world.a, 1};
  std::function<void()> strike;
};

TEST_F(EnvTest, NamesTellProcessThreadAndIncarnation) {
  EXPECT_EQ(env.process_name(), "a");
  EXPECT_EQ(env.thread_name(), "a:1");
  EXPECT_EQ(env.thread(), 1U);
  world.at(1ms, [&] { world.kernel.crash(world.a); });
  world.at(2ms, [&] { world.kernel.restart(world.a); });
  world.run();
  EXPECT_EQ(env.process_name(), "a#2");
  EXPECT_EQ(env.thread_name(), "a#2:1");
}

// Says something else than the truth, and what that was.
class LyingTwist final : public EnvTwist {
 public:
  Duration read_clock(Kernel& kernel, ProcessId process, ClockKind asked) override {
    return kernel.read_clock(process, asked) + 1h;
  }
  std::uint32_t thread(std::uint32_t mine) override { return mine + 6; }
  std::string process_name(std::string mine) override { return "not " + mine; }
  std::string unique_id(std::string fresh) override { return fresh.substr(0, 1); }
};

TEST_F(EnvTest, ATwistChangesWhatIsSaidAndNotHowLongASleepTakes) {
  const Duration honest_wall = env.wall();
  const Duration honest_monotonic = env.monotonic();
  LyingTwist twist;
  env.twist(twist);
  EXPECT_EQ(env.wall(), honest_wall + 1h);
  EXPECT_EQ(env.monotonic(), honest_monotonic + 1h);
  EXPECT_EQ(env.thread_name(), "not a:7");
  EXPECT_EQ(env.unique_id(), "a") << "of the process's own name";
  world.kernel.spawn(world.a, sleep_for(3ms));
  world.run();
  EXPECT_THAT(world.log, ::testing::Contains("slept 3"));
}

TEST_F(EnvTest, UniqueIdsNeverRepeatAcrossThreadsAndIncarnations) {
  std::set<std::string> ids;
  Env second{world.kernel, steps, world.a, 2};
  Env other{world.kernel, steps, world.b, 1};
  for (int round = 0; round < 100; ++round) {
    ids.insert(env.unique_id());
    ids.insert(second.unique_id());
    ids.insert(other.unique_id());
  }
  world.at(1ms, [&] { world.kernel.crash(world.a); });
  world.run();
  Env reborn{world.kernel, steps, world.a, 1};
  for (int round = 0; round < 100; ++round) {
    ids.insert(reborn.unique_id());
  }
  EXPECT_EQ(ids.size(), 400U);
}

TEST_F(EnvTest, EachThreadDrawsFromAStreamOfItsOwn) {
  std::vector<std::uint64_t> alone;
  for (int draw = 0; draw < 10; ++draw) {
    alone.push_back(env.random(1000));
  }
  TestKernel again;
  Env first{again.kernel, steps, again.a, 1};
  Env second{again.kernel, steps, again.a, 2};
  std::vector<std::uint64_t> beside_another;
  for (int draw = 0; draw < 10; ++draw) {
    second.random(1000);
    beside_another.push_back(first.random(1000));
  }
  EXPECT_EQ(beside_another, alone);
}

TEST_F(EnvTest, ReadsItsOwnClocks) {
  world.kernel.jump_clock(world.a, ClockKind::wall, 5s);
  const Env other{world.kernel, steps, world.b, 1};
  EXPECT_EQ(env.wall() - other.wall(), 5s);
  EXPECT_EQ(env.wall_ms() - other.wall_ms(), 5000);
  EXPECT_EQ(env.monotonic(), other.monotonic());
}

TEST_F(EnvTest, APointIsPassedAtOnceWhenNothingStrikes) {
  world.kernel.spawn(world.a, pass("work"));
  world.run();
  EXPECT_THAT(world.log, ElementsAre("at work 0", "passed 0", "frame gone 0", "end 1000"));
}

TEST_F(EnvTest, APauseAtAPointTakesEffectBeforeTheNextInstruction) {
  strike = [&] { world.kernel.pause(world.a); };
  world.kernel.spawn(world.a, pass("work"));
  world.at(700ms, [&] { world.kernel.resume(world.a); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("at work 0", "passed 700", "frame gone 700", "end 1000"));
}

TEST_F(EnvTest, ACrashAtAPointComesBeforeTheNextInstruction) {
  strike = [&] { world.kernel.crash(world.a); };
  world.kernel.spawn(world.a, pass("work"));
  world.run();
  EXPECT_THAT(world.log, ElementsAre("at work 0", "frame gone 0", "end 1000"));
}

TEST_F(EnvTest, AThreadKilledAtAPointDiesBeforeTheNextInstructionAndIsCountedOnce) {
  strike = [&] { world.kernel.kill_thread(world.a, 0); };
  world.kernel.spawn(world.a, pass("work"));
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("at work 0", "frame gone 0", "end 1000"));
}

TEST_F(EnvTest, AThreadKilledInAPauseAtAPointNeverGoesOn) {
  strike = [&] {
    world.kernel.pause(world.a);
    world.kernel.kill_thread(world.a, 0);
  };
  world.kernel.spawn(world.a, pass("work"));
  world.at(700ms, [&] { world.kernel.resume(world.a); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("at work 0", "frame gone 0", "end 1000"));
}

TEST_F(EnvTest, AThreadWithTheSameEnvPassesThePointAtWhichAnotherIsKilled) {
  world.kernel.spawn(world.a, sleep_for_ever(world, world.a, "killed"));
  strike = [&] { world.kernel.kill_thread(world.a, 0); };
  env.spawn(pass("work"));
  world.run();
  EXPECT_THAT(world.log, ElementsAre("at work 0", "passed 0", "frame gone 0", "killed 0", "end 1000"));
}

TEST_F(EnvTest, ASpawnedThreadDiesWithItsProcess) {
  env.spawn(sleep_for_ever(world, world.a, "watchdog gone"));
  world.at(300ms, [&] { world.kernel.crash(world.a); });
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("watchdog gone 300", "end 1000"));
}

}  // namespace
}  // namespace holdfast
