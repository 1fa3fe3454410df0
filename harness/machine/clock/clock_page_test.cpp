// Looks at the page as a program would: by mapping its file.
#include "harness/machine/clock/clock_page.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "harness/machine/clock/clock_page_layout.h"
#include "harness/machine/clock/test_probe.h"

namespace holdfast {
namespace clock_page_test {

using testing::HasSubstr;

class Mapping {
 public:
  explicit Mapping(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    memory_ = ::mmap(nullptr, HOLDFAST_CLOCK_PAGE_BYTES, PROT_READ, MAP_SHARED, descriptor, 0);
    ::close(descriptor);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { ::munmap(memory_, HOLDFAST_CLOCK_PAGE_BYTES); }
  const holdfast_clock_page* operator->() const { return static_cast<const holdfast_clock_page*>(memory_); }

 private:
  void* memory_ = nullptr;
};

TEST(ClockPage, StartsAsRealTimeUnchanged) {
  const test_probe::Folder folder;
  const ClockPage page(folder.file("page"));
  const Mapping seen(page.file());
  EXPECT_EQ(seen->magic, HOLDFAST_CLOCK_MAGIC);
  EXPECT_EQ(seen->mode, static_cast<std::uint32_t>(HOLDFAST_CLOCK_OFFSET));
  EXPECT_EQ(seen->wall_offset_ns, 0);
  EXPECT_EQ(seen->mono_offset_ns, 0);
}

TEST(ClockPage, ShowsEachChangeAndCountsIt) {
  const test_probe::Folder folder;
  ClockPage page(folder.file("page"));
  const Mapping seen(page.file());
  page.set(7, 3);
  EXPECT_EQ(seen->mode, static_cast<std::uint32_t>(HOLDFAST_CLOCK_VIRTUAL));
  EXPECT_EQ(seen->wall_ns, 7);
  EXPECT_EQ(seen->mono_ns, 3);
  EXPECT_EQ(seen->generation, 1U);
  page.set_offsets(-5, 6);
  EXPECT_EQ(seen->mode, static_cast<std::uint32_t>(HOLDFAST_CLOCK_OFFSET));
  EXPECT_EQ(seen->wall_offset_ns, -5);
  EXPECT_EQ(seen->mono_offset_ns, 6);
  EXPECT_EQ(seen->generation, 2U);
}

TEST(ClockPage, WakesWhoeverWaitsForItToChange) {
  const test_probe::Folder folder;
  ClockPage page(folder.file("page"));
  const Mapping seen(page.file());
  const pid_t waiter = ::fork();
  if (waiter == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (__atomic_load_n(&seen->generation, __ATOMIC_SEQ_CST) == 0U) {
      ::syscall(SYS_futex, &seen->generation, FUTEX_WAIT, 0U, nullptr, nullptr, 0);
    }
    ::_exit(0);
  }
  page.set(1, 1);
  int status = -1;
  EXPECT_EQ(::waitpid(waiter, &status, 0), waiter);
  EXPECT_EQ(status, 0);
}

TEST(ClockPage, TakesThePlaceOfAnOlderFileWithoutTouchingIt) {
  const test_probe::Folder folder;
  ClockPage older(folder.file("page"));
  older.set(1, 1);
  const Mapping seen(older.file());
  ClockPage newer(folder.file("page"));
  newer.set(2, 2);
  EXPECT_EQ(seen->wall_ns, 1);
  EXPECT_EQ(Mapping(newer.file())->wall_ns, 2);
}

TEST(ClockPage, IsGoneWithItsObject) {
  const test_probe::Folder folder;
  {
    const ClockPage page(folder.file("page"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder.file("page")));
}

TEST(ClockPage, SaysWhyItCannotBeMade) {
  const test_probe::Folder folder;
  try {
    const ClockPage page(folder.file("missing") / "page");
    FAIL() << "made in a folder that is not there";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot make the clock page"));
    EXPECT_THAT(error.what(), HasSubstr("No such file or directory"));
  }
}

}  // namespace clock_page_test
}  // namespace holdfast
