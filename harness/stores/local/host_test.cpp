// Lock files: who may take, who may release, and what a dead process leaves behind.
#include "harness/stores/local/host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/kernel/test_kernel.h"

namespace holdfast::local {
namespace {

class HostTest : public ::testing::Test {
 protected:
  HostTest() { steps.reset(world.kernel.process_count()); }
  ~HostTest() override { world.kernel.stop(); }

  bool run(Task<bool> task) {
    const auto keep = [](Task<bool> asked, bool& answer) -> Task<> { answer = co_await asked; };
    bool answer = false;
    world.kernel.spawn(world.a, keep(std::move(task), answer));
    EXPECT_EQ(world.run(), RunEnd::finished);
    return answer;
  }

  TestKernel world;
  Steps steps;
  Host host;
  Env env_a{world.kernel, steps, world.a, 1};
  Env env_a2{world.kernel, steps, world.a, 2};
  Env env_b{world.kernel, steps, world.b, 1};
  HostClient a{env_a, host};
  HostClient a2{env_a2, host};
  HostClient b{env_b, host};
};

TEST_F(HostTest, AFlockHasOneOwnerWhoMayTakeItAgain) {
  EXPECT_TRUE(run(a.try_flock("f")));
  EXPECT_TRUE(run(a.try_flock("f")));
  EXPECT_FALSE(run(b.try_flock("f")));
  EXPECT_FALSE(run(a2.try_flock("f")));
  EXPECT_TRUE(run(b.try_flock("g")));
}

TEST_F(HostTest, AFlockIsReleasedByItsOwnerOnly) {
  EXPECT_TRUE(run(a.try_flock("f")));
  EXPECT_FALSE(run(b.unflock("f")));
  EXPECT_FALSE(run(a2.unflock("f")));
  EXPECT_TRUE(run(a.unflock("f")));
  EXPECT_FALSE(run(a.unflock("f")));
  EXPECT_TRUE(run(b.try_flock("f")));
}

TEST_F(HostTest, TheDeathOfAProcessDropsItsFlocksAndNoOthers) {
  EXPECT_TRUE(run(a.try_flock("f")));
  EXPECT_TRUE(run(a2.try_flock("g")));
  EXPECT_TRUE(run(b.try_flock("h")));
  host.process_died(world.a);
  EXPECT_TRUE(run(b.try_flock("f")));
  EXPECT_TRUE(run(b.try_flock("g")));
  EXPECT_FALSE(run(a.try_flock("h")));
}

TEST_F(HostTest, AnExclusiveFileIsCreatedOnceAndUnlinkedByAnyone) {
  EXPECT_TRUE(run(a.create_exclusive("f", "a")));
  EXPECT_FALSE(run(a.create_exclusive("f", "a")));
  EXPECT_FALSE(run(b.create_exclusive("f", "b")));
  EXPECT_TRUE(run(b.unlink("f")));
  EXPECT_FALSE(run(b.unlink("f")));
  EXPECT_TRUE(run(b.create_exclusive("f", "b")));
}

TEST_F(HostTest, AnExclusiveFileStaysWhenItsCreatorDies) {
  EXPECT_TRUE(run(a.create_exclusive("f", "a")));
  host.process_died(world.a);
  EXPECT_FALSE(run(b.create_exclusive("f", "b")));
}

TEST_F(HostTest, AResetLeavesAnEmptyHost) {
  EXPECT_TRUE(run(a.create_exclusive("f", "a")));
  EXPECT_TRUE(run(a.try_flock("g")));
  host.reset();
  EXPECT_TRUE(run(b.create_exclusive("f", "b")));
  EXPECT_TRUE(run(b.try_flock("g")));
}

}  // namespace
}  // namespace holdfast::local
