// Programs that we start, and what is left of them and of their directories when we end: nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <thread>

#include "harness/machine/process/child.h"
#include "harness/machine/process/guard.h"
#include "harness/machine/process/live_error.h"
#include "harness/machine/process/send_signal.h"
#include "harness/machine/process/temporary_directory.h"
#include "harness/machine/process/test_place.h"

namespace holdfast::live {
namespace process_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Whether it runs: one that has ended is there until somebody has waited for it, and that may be anybody.
bool exists(pid_t process) {
  const char state = state_of(process);
  return state != '\0' && state != 'Z';
}

TEST(Child, RunsAProgramInItsDirectoryWithItsEnvironment) {
  const TemporaryDirectory directory;
  const auto output = directory.path() / "out";
  Child child({.arguments = {"sh", "-c", "pwd; echo $GREETING; exit 3"},
               .environment = {{"GREETING", "hello"}},
               .directory = directory.path(),
               .output = output,
               .input = {},
               .standard_output = {}});
  EXPECT_TRUE(TestPlace::becomes_true([&] { return !child.is_running(); }));
  EXPECT_EQ(child.ending(), "exit code 3");
  EXPECT_EQ(last_lines(output), directory.path().string() + " / hello");
}

ChildOptions sleeper() {
  ChildOptions options;
  options.arguments = {"sleep", "1000"};
  return options;
}

TEST(Child, IsGoneWithItsObject) {
  pid_t process = -1;
  {
    Child child(sleeper());
    process = child.process();
    EXPECT_TRUE(child.is_running());
  }
  EXPECT_FALSE(exists(process));
}

// What a child started, once it has told.
pid_t grandchild_told_in(const std::filesystem::path& file) {
  pid_t process = -1;
  EXPECT_TRUE(TestPlace::becomes_true([&] { return static_cast<bool>(std::ifstream(file) >> process); }));
  return process;
}

TEST(Child, TakesWithItWhatItStarted) {
  for (const char* then : {"wait", "exit"}) {  // whether it is killed, or ends by itself
    const TemporaryDirectory directory;
    ChildOptions options;
    options.arguments = {"sh", "-c", std::string("sleep 1000 & echo $! >told; ") + then};
    options.directory = directory.path();
    Child child(options);
    const pid_t grandchild = grandchild_told_in(directory.path() / "told");
    EXPECT_TRUE(exists(grandchild));
    if (std::string_view(then) == "exit") {
      EXPECT_TRUE(TestPlace::becomes_true([&] { return !child.is_running(); }));
    }
    child.kill();
    EXPECT_TRUE(TestPlace::becomes_true([&] { return !exists(grandchild); }));
  }
}

TEST(Child, ThatCannotBeStartedIsOneSentence) {
  ChildOptions options;
  options.arguments = {"no-such-program-at-all"};
  EXPECT_THAT([&] { const Child child(options); },
              testing::ThrowsMessage<LiveError>(StartsWith("no-such-program-at-all is not installed")));
  options.arguments = {""};
  EXPECT_THAT([&] { const Child child(options); },
              testing::ThrowsMessage<LiveError>(HasSubstr("a program without a name")));
  options.arguments = {".."};  // a folder that may be entered is no program
  EXPECT_THAT([&] { const Child child(options); },
              testing::ThrowsMessage<LiveError>(StartsWith(".. is not installed")));
  options = sleeper();
  options.directory = "/no/such/directory";
  EXPECT_THAT([&] { const Child child(options); },
              testing::ThrowsMessage<LiveError>(HasSubstr("No such file or directory")));
}

TEST(Child, IsPreparedBeforeItsProgramBegins) {
  const TemporaryDirectory directory;
  ChildOptions options;
  options.arguments = {"sh", "-c", "umask >told"};
  options.directory = directory.path();
  options.before_exec = [] { return umask(0123) != 0777; };
  pid_t told = -1;
  options.after_exec = [&](pid_t process) { told = process; };
  Child child(options);
  EXPECT_EQ(told, child.process());
  EXPECT_TRUE(TestPlace::becomes_true([&] { return !child.is_running(); }));
  EXPECT_EQ(last_lines(directory.path() / "told"), "0123");
}

TEST(Child, ThatCannotBePreparedIsGone) {
  ChildOptions options = sleeper();
  options.before_exec = [] {
    errno = EPERM;
    return false;
  };
  EXPECT_THAT([&] { const Child child(options); },
              testing::ThrowsMessage<LiveError>(HasSubstr("Operation not permitted")));
  options = sleeper();
  pid_t process = -1;
  options.after_exec = [&](pid_t started) {
    process = started;
    throw LiveError("no");
  };
  EXPECT_THROW(const Child child(options), LiveError);
  EXPECT_FALSE(exists(process));
}

TEST(TemporaryDirectory, IsGoneWithItsObject) {
  std::filesystem::path path;
  {
    const TemporaryDirectory directory;
    path = directory.path();
    std::ofstream(path / "file") << "x";
    EXPECT_TRUE(std::filesystem::exists(path / "file"));
    EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms::owner_all);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

// The loader, redis.conf and sockets could not take these.
TEST(TemporaryDirectory, HasAPlainShortPathHoweverItsPlaceIsCalled) {
  const TestPlace outer;
  for (const std::string& name :
       {std::string("with blanks and \"quotes\" and 'others':"), std::string(200, 'x')}) {
    const std::filesystem::path place = outer.path() / name;
    std::filesystem::create_directory(place);
    setenv("TMPDIR", place.c_str(), 1);
    std::filesystem::path path;
    {
      const TemporaryDirectory directory;
      path = directory.path();
      EXPECT_LT(path.string().size(), 60U);
      EXPECT_EQ(path.string().find_first_of(" \"':"), std::string::npos);
      std::ofstream(path / "file") << "x";
      const std::filesystem::path real = std::filesystem::canonical(path);
      EXPECT_EQ(real.parent_path(), std::filesystem::canonical(place));
      EXPECT_EQ(std::filesystem::status(real).permissions(), std::filesystem::perms::owner_all);
    }
    EXPECT_FALSE(std::filesystem::exists(std::filesystem::symlink_status(path)));
    EXPECT_TRUE(std::filesystem::is_empty(place));
  }
}

TEST(TemporaryDirectory, IsInTheSystemsPlaceIfTmpdirIsNoDirectory) {
  const TestPlace outer;
  setenv("TMPDIR", (outer.path() / "missing").c_str(), 1);
  const TemporaryDirectory directory;
  EXPECT_TRUE(std::filesystem::is_directory(directory.path()));
}

// What a process of its own made before it was killed.
struct Made {
  pid_t process = -1;
  pid_t daemon = -1;
  char directory[200] = {};
};

// Makes them under a guard of its own, tells, and waits to be killed.
[[noreturn]] void make_and_wait(int told) {
  Guard guard;
  Made made;
  made.process = fork();
  if (made.process == 0) {
    execlp("sleep", "sleep", "1000", nullptr);  // which has no hold on the guard's pipe
    _exit(127);
  }
  guard.watch(made.process);
  // One of a session of its own, whose father is gone.
  int numbers[2];
  if (pipe(numbers) != 0) {
    _exit(1);
  }
  if (fork() == 0) {
    wear(guard.mark());
    dup2(numbers[1], 1);
    execlp("sh", "sh", "-c", "setsid sh -c 'echo $$; exec sleep 1000' & exit", nullptr);
    _exit(127);
  }
  char number[20] = {};
  if (read(numbers[0], number, sizeof number - 1) <= 0) {
    _exit(1);
  }
  made.daemon = std::atoi(number);
  const std::string name = (std::filesystem::temp_directory_path() / "holdfast-guard-XXXXXX").string();
  name.copy(made.directory, sizeof made.directory - 1);
  if (mkdtemp(made.directory) != nullptr) {
    guard.watch(std::filesystem::path(made.directory));
  }
  if (write(told, &made, sizeof made) != sizeof made) {
    _exit(1);
  }
  for (;;) {
    pause();
  }
}

TEST(Guard, CleansUpAfterOneWhoWasKilled) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t maker = fork();
  if (maker == 0) {
    make_and_wait(ends[1]);
  }
  Made made;
  ASSERT_EQ(read(ends[0], &made, sizeof made), static_cast<ssize_t>(sizeof made));
  close(ends[0]);
  close(ends[1]);
  EXPECT_TRUE(exists(made.process));
  EXPECT_TRUE(exists(made.daemon));
  EXPECT_TRUE(std::filesystem::exists(made.directory));
  send_signal(maker, SIGKILL);
  waitpid(maker, nullptr, 0);
  EXPECT_TRUE(TestPlace::becomes_true([&] { return !exists(made.process); }));
  EXPECT_TRUE(TestPlace::becomes_true([&] { return !exists(made.daemon); }));
  EXPECT_TRUE(TestPlace::becomes_true([&] { return !std::filesystem::exists(made.directory); }));
}

}  // namespace process_test
}  // namespace holdfast::live
