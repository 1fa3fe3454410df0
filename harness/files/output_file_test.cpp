// How: real files in a folder of the test's own, written in both ways (without a name until they are whole,
// and under one that nobody can guess); pipes, links and devices in the place of plain files; a limit of file
// sizes for a full disk; mounts that only a thread sees; and children that are ended by signals in the
// middle.
#include "harness/files/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <thread>

#include "harness/files/file_error.h"
#include "harness/files/test_folder.h"

namespace holdfast {
namespace output_file_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

namespace fs = std::filesystem;

class OutputFileInBothWays : public testing::TestWithParam<Unfinished> {
 protected:
  void write(const std::string& path, std::string_view text) const {
    OutputFile file(path, "the test", GetParam());
    file.write(text);
    file.finish();
  }
  TestFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Way, OutputFileInBothWays, testing::Values(Unfinished::nameless, Unfinished::named),
                         [](const auto& way) {
                           return way.param == Unfinished::named ? "named" : "nameless";
                         });

TEST_P(OutputFileInBothWays, WritesANewFileAndNothingBeside) {
  const std::string long_text(300'000, 'x');
  write(folder_.file("new"), long_text);
  EXPECT_EQ(folder_.text_of("new"), long_text);
  EXPECT_THAT(folder_.names(), ElementsAre("new"));
}

TEST_P(OutputFileInBothWays, NewFilesHaveThePermissionsThatUmaskLeaves) {
  const mode_t before = ::umask(027);
  write(folder_.file("new"), "x");
  ::umask(before);
  EXPECT_EQ(fs::status(folder_.file("new")).permissions(), static_cast<fs::perms>(0640));
}

TEST_P(OutputFileInBothWays, ReplacesAnOldFileAndKeepsItsPermissions) {
  folder_.put("old", "before");
  fs::permissions(folder_.file("old"), static_cast<fs::perms>(0604));
  write(folder_.file("old"), "after");
  EXPECT_EQ(folder_.text_of("old"), "after");
  EXPECT_EQ(fs::status(folder_.file("old")).permissions(), static_cast<fs::perms>(0604));
  EXPECT_THAT(folder_.names(), ElementsAre("old"));
}

TEST_P(OutputFileInBothWays, LeavesTheOldFileUntilTheNewOneIsWhole) {
  folder_.put("old", "before");
  {
    OutputFile file(folder_.file("old"), "the test", GetParam());
    file.write(std::string(200'000, 'x'));
    EXPECT_EQ(folder_.text_of("old"), "before");
    EXPECT_EQ(folder_.names().size(), GetParam() == Unfinished::named ? 2U : 1U);
  }
  EXPECT_EQ(folder_.text_of("old"), "before");
  EXPECT_THAT(folder_.names(), ElementsAre("old"));
}

TEST_P(OutputFileInBothWays, WritesThroughLinksWhichStayLinks) {
  fs::create_directory(folder_.file("elsewhere"));
  folder_.put("elsewhere/target", "before");
  fs::create_symlink("elsewhere/target", folder_.file("first"));
  fs::create_symlink("first", folder_.file("second"));
  write(folder_.file("second"), "after");
  EXPECT_TRUE(fs::is_symlink(folder_.file("first")));
  EXPECT_TRUE(fs::is_symlink(folder_.file("second")));
  EXPECT_FALSE(fs::is_symlink(folder_.file("elsewhere/target")));
  EXPECT_EQ(folder_.text_of("elsewhere/target"), "after");
  // One that leads to nothing yet.
  fs::create_symlink("elsewhere/new", folder_.file("third"));
  write(folder_.file("third"), "new");
  EXPECT_TRUE(fs::is_symlink(folder_.file("third")));
  EXPECT_EQ(folder_.text_of("elsewhere/new"), "new");
}

TEST_P(OutputFileInBothWays, AFullDiskIsOneSentenceAndLeavesTheOldFile) {
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit unlimited{};
  ::getrlimit(RLIMIT_FSIZE, &unlimited);
  folder_.put("old", "before");
  const rlimit limited{1000, unlimited.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &limited);
  EXPECT_THAT([&] { write(folder_.file("old"), std::string(100'000, 'x')); },
              ThrowsMessage<FileError>("cannot write the test to " + folder_.file("old") +
                                       ": File too large; make room or choose another place"));
  ::setrlimit(RLIMIT_FSIZE, &unlimited);
  std::signal(SIGXFSZ, before);
  EXPECT_EQ(folder_.text_of("old"), "before");
  EXPECT_THAT(folder_.names(), ElementsAre("old"));
}

// Writes without an end until it is ended; tells by the pipe that it has begun.
[[noreturn]] void write_for_ever(const std::string& path, Unfinished way, int told) {
  OutputFile file(path, "the test", way);
  file.write(std::string(200'000, 'x'));
  [[maybe_unused]] const ssize_t written = ::write(told, "!", 1);
  for (;;) {
    ::pause();
  }
}

TEST_P(OutputFileInBothWays, ASignalLeavesTheOldFileAndNothingBeside) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGKILL}) {
    if (number == SIGKILL && GetParam() == Unfinished::named) {
      continue;  // then nobody can
    }
    const TestFolder folder;
    folder.put("old", "before");
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      std::signal(number, SIG_DFL);
      write_for_ever(folder.file("old"), GetParam(), ends[1]);
    }
    char letter = 0;
    ASSERT_EQ(::read(ends[0], &letter, 1), 1);
    ASSERT_GT(child, 1);
    ::kill(child, number);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number) << number;
    EXPECT_EQ(folder.text_of("old"), "before") << number;
    EXPECT_THAT(folder.names(), ElementsAre("old")) << number;
    ::close(ends[0]);
    ::close(ends[1]);
  }
}

// In a thread with mounts of its own; false: nothing may be mounted here.
template <typename Mount, typename Action>
bool with_mounts(const Mount& mount, const Action& action) {
  bool is_mounted = false;
  std::thread([&] {
    is_mounted = ::unshare(CLONE_FS | CLONE_NEWNS) == 0 &&
                 ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 && mount();
    if (is_mounted) {
      action();
    }
  }).join();
  return is_mounted;
}

bool mount_over(const std::string& place, const std::string& source) {
  return ::mount(source.c_str(), place.c_str(), nullptr, MS_BIND, nullptr) == 0;
}

TEST_P(OutputFileInBothWays, AFileThatIsMountedIsWrittenOver) {
  folder_.put("source", "a longer text than the one that comes");
  folder_.put("bound", "below");
  const bool is_mounted =
      with_mounts([&] { return mount_over(folder_.file("bound"), folder_.file("source")); },
                  [&] {
                    check_can_write(folder_.file("bound"), "the test");
                    EXPECT_NE(folder_.text_of("bound"), "");
                    write(folder_.file("bound"), "after");
                    EXPECT_EQ(folder_.text_of("bound"), "after");
                    const std::string long_text(300'000, 'x');
                    write(folder_.file("bound"), long_text);
                    EXPECT_EQ(folder_.text_of("bound"), long_text);
                    write(folder_.file("bound"), "after");
                  });
  if (!is_mounted) {
    GTEST_SKIP() << "nothing may be mounted here";
  }
  EXPECT_EQ(folder_.text_of("source"), "after");
  EXPECT_EQ(folder_.text_of("bound"), "below");
  EXPECT_THAT(folder_.names(), ElementsAre("bound", "source"));
}

TEST_P(OutputFileInBothWays, AFileThatIsMountedInADirectoryThatIsReadOnlyIsWrittenOver) {
  folder_.put("source", "before");
  const std::string place = folder_.file("closed");
  fs::create_directory(place);
  const bool is_mounted = with_mounts(
      [&] {
        return ::mount("none", place.c_str(), "tmpfs", 0, nullptr) == 0 &&
               (folder_.put("closed/bound", ""), true) &&
               ::mount("none", place.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0 &&
               mount_over(place + "/bound", folder_.file("source"));
      },
      [&] {
        {
          OutputFile file(place + "/bound", "the test", GetParam());
          file.write(std::string(200'000, 'x'));
          EXPECT_EQ(folder_.text_of("source"), "before");
        }
        EXPECT_EQ(folder_.text_of("source"), "before");
        write(place + "/bound", "after");
        EXPECT_THAT([&] { write(place + "/new", "x"); },
                    ThrowsMessage<FileError>(HasSubstr("Read-only file system; choose")));
      });
  if (!is_mounted) {
    GTEST_SKIP() << "nothing may be mounted here";
  }
  EXPECT_EQ(folder_.text_of("source"), "after");
}

TEST_P(OutputFileInBothWays, AFileThatMayBeWrittenInADirectoryThatMayNotIsWrittenOver) {
  fs::create_directory(folder_.file("closed"));
  folder_.put("closed/old", "before");
  fs::permissions(folder_.file("closed/old"), static_cast<fs::perms>(0666));
  fs::permissions(folder_.file("closed"), static_cast<fs::perms>(0555));
  // Nobody is kept out as root is not; this thread alone, not libc's all.
  std::thread([&] {
    constexpr long nobody = 65534;
    if (::geteuid() == 0) {
      ASSERT_EQ(::syscall(SYS_setresuid, nobody, nobody, nobody), 0);
    }
    check_can_write(folder_.file("closed/old"), "the test");
    write(folder_.file("closed/old"), "after");
    EXPECT_THAT([&] { write(folder_.file("closed/new"), "x"); },
                ThrowsMessage<FileError>(HasSubstr("Permission denied; choose")));
  }).join();
  EXPECT_EQ(folder_.text_of("closed/old"), "after");
  EXPECT_EQ(fs::status(folder_.file("closed/old")).permissions(), static_cast<fs::perms>(0666));
  fs::permissions(folder_.file("closed"), static_cast<fs::perms>(0755));
}

TEST(OutputFile, ItsUnfinishedNameIsAnotherEachTime) {
  const TestFolder folder;
  const OutputFile one(folder.file("file"), "the test", Unfinished::named);
  const OutputFile other(folder.file("file"), "the test", Unfinished::named);
  const std::vector<std::string> names = folder.names();
  ASSERT_EQ(names.size(), 2U);
  EXPECT_NE(names[0], names[1]);
}

TEST(OutputFile, ADeviceIsWrittenToAndStays) {
  const TestFolder folder;
  fs::create_symlink("/dev/null", folder.file("nowhere"));
  write_file(folder.file("nowhere"), "text", "the test");
  check_can_write(folder.file("nowhere"), "the test");
  EXPECT_TRUE(fs::is_symlink(folder.file("nowhere")));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  fs::create_symlink("/dev/full", folder.file("full"));
  EXPECT_THAT([&] { write_file(folder.file("full"), "text", "the test"); },
              ThrowsMessage<FileError>(HasSubstr("full: No space left on device; make room")));
  EXPECT_TRUE(fs::is_symlink(folder.file("full")));
}

TEST(OutputFile, APipeIsWrittenToAndStaysAndIsNotTouchedBefore) {
  const TestFolder folder;
  ASSERT_EQ(::mkfifo(folder.file("pipe").c_str(), 0600), 0);
  check_can_write(folder.file("pipe"), "the test");  // without a reader: does not hang
  const int reader = ::open(folder.file("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  check_can_write(folder.file("pipe"), "the test");
  pollfd at_its_end{reader, POLLIN, 0};
  EXPECT_EQ(::poll(&at_its_end, 1, 0), 0) << "a reader would have given up";
  write_file(folder.file("pipe"), "text", "the test");
  std::array<char, 10> read{};
  EXPECT_EQ(::read(reader, read.data(), read.size()), 4);
  EXPECT_STREQ(read.data(), "text");
  EXPECT_TRUE(fs::is_fifo(folder.file("pipe")));
  ::close(reader);
}

TEST(OutputFile, ADescriptorOfOursIsWrittenBehindWhatWentThereAlready) {
  const TestFolder folder;
  const int file = ::open(folder.file("file").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(file, 0);
  ASSERT_EQ(::write(file, "one ", 4), 4);
  write_file("/dev/fd/" + std::to_string(file), "two ", "the test");
  fs::create_symlink("/proc/self/fd/" + std::to_string(file), folder.file("link"));
  write_file(folder.file("link"), "three ", "the test");
  ASSERT_EQ(::write(file, "four", 4), 4);
  ::close(file);
  EXPECT_EQ(folder.text_of("file"), "one two three four");
  EXPECT_FALSE(is_plain_output("/dev/fd/0"));
  const int read_only = ::open(folder.file("file").c_str(), O_RDONLY);
  ASSERT_GE(read_only, 0);
  for (const int number : {1'000'000, read_only}) {
    const std::string path = "/dev/fd/" + std::to_string(number);
    EXPECT_THAT([&] { write_file(path, "", "the test"); },
                ThrowsMessage<FileError>(HasSubstr("Bad file descriptor; choose")));
    EXPECT_THAT([&] { check_can_write(path, "the test"); },
                ThrowsMessage<FileError>(HasSubstr("Bad file descriptor; choose")));
  }
  ::close(read_only);
}

TEST(OutputFile, APlaceThatCannotBeIsOneSentence) {
  const TestFolder folder;
  fs::create_directory(folder.file("directory"));
  folder.put("file", "");
  fs::create_symlink("loop", folder.file("loop"));
  const std::array<std::pair<std::string, std::string>, 8> places{
      {{folder.file("directory"), "Is a directory"},
       {folder.file("directory/"), "Is a directory"},
       {folder.file("new/"), "No such file or directory"},
       {folder.file("missing/file"), "No such file or directory"},
       {folder.file("file/file"), "Not a directory"},
       {folder.file("loop"), "Too many levels of symbolic links"},
       {folder.file(std::string(5000, 'x')), "File name too long"},
       {"", "No such file or directory"}}};
  for (const auto& [path, reason] : places) {
    const std::string sentence =
        fmt::format("cannot write the test to {}: {}; choose a place that can be written to", path, reason);
    EXPECT_THAT([&] { write_file(path, "x", "the test"); }, ThrowsMessage<FileError>(sentence));
    EXPECT_THAT([&] { check_can_write(path, "the test"); }, ThrowsMessage<FileError>(sentence));
  }
  EXPECT_THAT(folder.names(), ElementsAre("directory", "file", "loop"));
}

TEST(OutputFile, AskingWhetherItCanBeWrittenChangesNothing) {
  const TestFolder folder;
  folder.put("old", "before");
  check_can_write(folder.file("old"), "the test");
  check_can_write(folder.file("new"), "the test");
  EXPECT_EQ(folder.text_of("old"), "before");
  EXPECT_THAT(folder.names(), ElementsAre("old"));
}

}  // namespace output_file_test
}  // namespace holdfast
