// The protected resource, with and without token checking, and what it tells its observer.
#include "harness/stores/storage/storage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/kernel/test_kernel.h"

namespace holdfast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class StorageTest : public ::testing::Test, public StorageObserver {
 protected:
  StorageTest() {
    network.reset(Latency{.least = 10ms, .jitter_step = 0ns, .jitter_steps = 1});
    steps.reset(world.kernel.process_count());
    calls.reset();
  }
  ~StorageTest() override { world.kernel.stop(); }

  void on_storage(const StorageCalls::Call& call, const StorageResponse& before,
                  const StorageResponse& after) override {
    decided.push_back(to_text(call.request) + ": " + std::to_string(before.version) + " -> " +
                      to_text(after));
  }
  Task<> ask(StorageRequest request) {
    const StorageCalls::Result result = co_await calls.call(env, world.b, storage, 1s, request);
    answers.push_back(to_text(result.response));
  }
  void read(std::optional<std::int64_t> token = std::nullopt) {
    StorageRequest request;
    request.token = token;
    run(request);
  }
  void write(std::int64_t value, std::optional<std::int64_t> token) { write_copy(++write_id, value, token); }
  void write_copy(std::uint32_t id, std::int64_t value, std::optional<std::int64_t> token) {
    StorageRequest request;
    request.kind = StorageRequest::Kind::write;
    request.value = value;
    request.token = token;
    request.write_id = id;
    run(request);
  }
  void run(const StorageRequest& request) {
    world.kernel.spawn(world.a, ask(request));
    world.run();
  }

  TestKernel world;
  Steps steps;
  StorageCalls calls{world.kernel, network, steps};
  Network network{world.kernel};
  Storage storage{calls};
  Env env{world.kernel, steps, world.a, 1};
  std::uint32_t write_id = 0;
  std::vector<std::string> answers;
  std::vector<std::string> decided;
};

TEST_F(StorageTest, KeepsTheLastValueAndCountsItsWrites) {
  storage.reset({.checks_tokens = false, .initial_value = 7}, this);
  read();
  write(8, std::nullopt);
  write(5, std::nullopt);
  read();
  EXPECT_THAT(answers, ElementsAre("7 (version 0)", "8 (version 1)", "5 (version 2)", "5 (version 2)"));
  EXPECT_EQ(storage.value(), 5);
  EXPECT_EQ(storage.version(), 2);
}

TEST_F(StorageTest, WithoutCheckingAcceptsAStaleTokenAndNone) {
  storage.reset({.checks_tokens = false}, nullptr);
  write(1, 34);
  write(2, 33);
  write(3, std::nullopt);
  EXPECT_EQ(storage.version(), 3);
}

TEST_F(StorageTest, WithCheckingRejectsALowerTokenAndChangesNothing) {
  storage.reset({.checks_tokens = true}, this);
  write(1, 34);
  write(2, 33);
  EXPECT_EQ(storage.value(), 1);
  EXPECT_EQ(storage.version(), 1);
  EXPECT_THAT(decided, ElementsAre("write 1 with token 34: 0 -> 1 (version 1)",
                                   "write 2 with token 33: 1 -> rejected"));
}

TEST_F(StorageTest, WithCheckingAcceptsTheSameHolderAgainAndANewerOne) {
  storage.reset({.checks_tokens = true}, this);
  write(1, 33);
  write(2, 33);
  write(3, 34);
  EXPECT_EQ(storage.version(), 3);
}

TEST_F(StorageTest, WithCheckingRejectsAWriteWithoutAToken) {
  storage.reset({.checks_tokens = true}, this);
  write(1, std::nullopt);
  EXPECT_EQ(storage.version(), 0);
  EXPECT_THAT(decided, ElementsAre("write 1: 0 -> rejected"));
}

TEST_F(StorageTest, ARejectedTokenDoesNotRaiseTheBar) {
  storage.reset({.checks_tokens = true}, nullptr);
  write(1, 10);
  write(2, 5);
  write(3, 10);
  EXPECT_EQ(storage.value(), 3);
}

TEST_F(StorageTest, WithCheckingAReadNeedsATokenToo) {
  storage.reset({.checks_tokens = true, .initial_value = 4}, nullptr);
  read();
  read(33);
  read(32);
  EXPECT_THAT(answers, ElementsAre("rejected", "4 (version 0)", "rejected"));
}

TEST_F(StorageTest, AReadOfANewerHolderShutsTheOlderOneOut) {
  storage.reset({.checks_tokens = true}, nullptr);
  read(34);
  write(1, 33);
  EXPECT_THAT(answers, ElementsAre("0 (version 0)", "rejected"));
  EXPECT_EQ(storage.version(), 0);
}

TEST_F(StorageTest, ACopyOfAWriteIsAnsweredAsTheFirstWasAndWritesNothing) {
  storage.reset({.checks_tokens = false}, this);
  write_copy(1, 8, std::nullopt);
  write_copy(2, 9, std::nullopt);
  write_copy(1, 8, std::nullopt);
  EXPECT_THAT(answers, ElementsAre("8 (version 1)", "9 (version 2)", "8 (version 1)"));
  EXPECT_EQ(storage.value(), 9);
  EXPECT_EQ(decided.size(), 2U);
}

TEST_F(StorageTest, AResetForgetsValueVersionAndTokens) {
  storage.reset({.checks_tokens = true}, this);
  write(1, 100);
  storage.reset({.checks_tokens = true}, nullptr);
  EXPECT_EQ(storage.value(), 0);
  EXPECT_EQ(storage.version(), 0);
  decided.clear();
  write(2, 1);
  EXPECT_EQ(storage.value(), 2);
  EXPECT_THAT(decided, IsEmpty());
}

}  // namespace
}  // namespace holdfast
