#include "harness/explore/parallel.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace holdfast {
namespace {

void ignore_progress(std::size_t) {}

TEST(InParallel, DoesEachIndexOnceWhateverTheNumberOfThreads) {
  for (const std::size_t jobs : {0U, 1U, 2U, 7U, 200U}) {
    std::vector<int> visits(100, 0);
    in_parallel(
        visits.size(), jobs, [&] { return [&](std::size_t index) { ++visits[index]; }; }, ignore_progress);
    EXPECT_EQ(visits, std::vector<int>(100, 1)) << jobs;
  }
}

// A child may start no thread beyond a few: as somebody else, since root has no such limit.
TEST(InParallel, FewerThreadsThanWereAskedForDoAllTheWork) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t nobody = 65534;
    const rlimit few{3, 3};
    if ((::geteuid() == 0 && ::setuid(nobody) != 0) || ::setrlimit(RLIMIT_NPROC, &few) != 0) {
      ::_exit(2);
    }
    std::vector<int> visits(1000, 0);
    in_parallel(
        visits.size(), 500, [&] { return [&](std::size_t index) { ++visits[index]; }; }, ignore_progress);
    ::_exit(visits == std::vector<int>(1000, 1) ? 0 : 1);
  }
  ASSERT_GT(child, 1);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(InParallel, CountsWhatIsDoneInOrder) {
  std::vector<std::size_t> done;
  in_parallel(20, 4, [] { return [](std::size_t) {}; }, [&](std::size_t count) { done.push_back(count); });
  ASSERT_EQ(done.size(), 20U);
  for (std::size_t index = 0; index < done.size(); ++index) {
    EXPECT_EQ(done[index], index + 1);
  }
}

TEST(InParallel, GivesEachThreadAWorkerOfItsOwn) {
  std::vector<const int*> used(50, nullptr);
  in_parallel(
      used.size(), 3,
      [&] {
        const auto own = std::make_shared<int>(0);
        return [own, &used](std::size_t index) {
          ++*own;  // would be a data race if it were shared
          used[index] = own.get();
        };
      },
      ignore_progress);
  for (const int* each : used) {
    EXPECT_NE(each, nullptr);
  }
}

TEST(InParallel, PassesOnAnException) {
  const auto make_worker = [] {
    return [](std::size_t index) {
      if (index == 3) {
        throw std::runtime_error("three");
      }
    };
  };
  EXPECT_THROW(in_parallel(10, 2, make_worker, ignore_progress), std::runtime_error);
}

TEST(InParallel, OfNothingIsNothing) {
  in_parallel(0, 4, [] { return [](std::size_t) { FAIL(); }; }, ignore_progress);
}

TEST(DefaultJobs, IsAtLeastOne) {
  EXPECT_GE(default_jobs(), 1U);
}

}  // namespace
}  // namespace holdfast
