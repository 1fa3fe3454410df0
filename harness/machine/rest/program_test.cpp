// Reads and writes our own memory, as if it were another program's; and what random numbers it is given.
#include "harness/machine/rest/program.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "harness/machine/rest/seeded_random.h"

namespace holdfast::rest {
namespace program_test {

std::uint64_t address_of(const void* memory) {
  return reinterpret_cast<std::uint64_t>(memory);
}

Program ourselves() {
  return {getpid(), live::Descriptor(static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0)))};
}

TEST(Program, ReadsAndWritesMemory) {
  const Program program = ourselves();
  int number = 41;
  EXPECT_EQ(program.read<int>(address_of(&number)), 41);
  const int other = 42;
  EXPECT_TRUE(program.write(address_of(&number), &other, sizeof other));
  EXPECT_EQ(number, 42);
  EXPECT_FALSE(program.read<int>(16));
  EXPECT_FALSE(program.write(16, &other, sizeof other));
}

TEST(Program, ReadsATextUpToTheEndOfTheMemory) {
  const Program program = ourselves();
  auto* const pages =
      static_cast<char*>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  munmap(pages + 4096, 4096);
  std::memcpy(pages + 4090, "hello", 6);
  EXPECT_EQ(program.read_text(address_of(pages + 4090), 100), "hello");
  EXPECT_EQ(program.read_text(address_of(pages + 4090), 3), "hel");
  munmap(pages, 4096);
  EXPECT_EQ(program.read_text(16, 100), "");
}

TEST(Program, GivesCopiesOfDescriptors) {
  const Program program = ourselves();
  int ends[2] = {-1, -1};
  ASSERT_EQ(pipe(ends), 0);
  {
    const live::Descriptor copy = program.copy_of(ends[1]);
    ASSERT_TRUE(copy);
    EXPECT_EQ(write(copy.get(), "x", 1), 1);
  }
  char letter = 0;
  EXPECT_EQ(read(ends[0], &letter, 1), 1);
  close(ends[0]);
  close(ends[1]);
  EXPECT_FALSE(program.copy_of(ends[0]));
  EXPECT_EQ(errno, EBADF);
}

TEST(SeededRandom, GivesTheSameBytesForASeed) {
  SeededRandom one(7);
  SeededRandom same(7);
  SeededRandom other(8);
  std::array<unsigned char, 13> bytes{};
  std::array<unsigned char, 13> again{};
  std::array<unsigned char, 13> different{};
  one.fill(bytes);
  same.fill(again);
  other.fill(different);
  EXPECT_EQ(bytes, again);
  EXPECT_NE(bytes, different);
  one.fill(again);
  EXPECT_NE(bytes, again);
}

TEST(SeededRandom, IsAFileToo) {
  EXPECT_TRUE(SeededRandom::is_random_file("/dev/urandom"));
  EXPECT_FALSE(SeededRandom::is_random_file("/dev/urandom2"));
  SeededRandom one(7);
  const live::Descriptor file = one.open();
  std::vector<char> bytes(1 << 20);
  EXPECT_EQ(read(file.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
}

}  // namespace program_test
}  // namespace holdfast::rest
