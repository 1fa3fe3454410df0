// Runs the same probe in several languages, and a real redis-server, on a clock page.
#include "harness/machine/clock/launch.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <memory>

#include "harness/machine/clock/test_probe.h"

namespace holdfast {
namespace launch_test {

using namespace test_probe;
using testing::HasSubstr;

struct Language {
  std::string name;
  ClockWay way = ClockWay::libc;
  std::string needs;                 // a program without which there is nothing to test
  std::string build;                 // a shell command, run in the test's folder; $source is the probe's
  std::string source;                // in probes/
  std::vector<std::string> command;  // likewise
};

std::string name_of_language(const testing::TestParamInfo<Language>& info) {
  return info.param.name;
}

std::vector<Language> languages() {
  return {
      {"C", ClockWay::libc, "cc", "cc -O1 -w -pthread -o probe $source", "probe.c", {"./probe"}},
      {"Python", ClockWay::libc, "python3", "cp $source probe.py", "probe.py", {"python3", "probe.py"}},
      {"Java",
       ClockWay::libc,
       "javac",
       "javac -J-XX:TieredStopAtLevel=1 -d . $source",
       "Probe.java",
       {"java", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp", ".", "Probe"}},
      {"Go", ClockWay::vdso, "go", "cp $source . && go build -o probe probe.go", "probe.go", {"./probe"}}};
}

class OnPage : public testing::TestWithParam<Language> {
 protected:
  void SetUp() override {
    const Language& language = GetParam();
    if (!has_program(language.needs)) {
      GTEST_SKIP() << "there is no " << language.needs << " on this machine";
    }
    if (const std::string why = why_no_virtual_time(language.way); !why.empty()) {
      GTEST_SKIP() << why;
    }
    write_clock_shim(folder_.file("clock.so"));
    const std::string folder = folder_.file("").string();
    ASSERT_TRUE(
        succeeds("cd " + folder + " && source=" + source_of(language.source) + " && " + language.build));
    page_.set(start_wall_ns, start_mono_ns);
    launch_ = std::make_unique<ClockLaunch>(page_.file(), folder_.file("clock.so"), language.way);
    std::vector<std::string> command = {"sh", "-c", "cd " + folder + " && exec \"$@\"", "sh"};
    if (language.way ==
        ClockWay::vdso) {  // that lasts until the next exec, so there must not be a shell between
      command = {folder_.file("probe").string()};
    } else {
      command.insert(command.end(), language.command.begin(), language.command.end());
    }
    program_ = std::make_unique<Program>(*launch_, command);
  }

  void move_to(std::int64_t length_ns) {
    page_.set(start_wall_ns + length_ns, start_mono_ns + length_ns);
    program_->after_move();
  }

  const Folder folder_;
  ClockPage page_{folder_.file("page")};
  std::unique_ptr<ClockLaunch> launch_;
  std::unique_ptr<Program> program_;
};

TEST_P(OnPage, SeesExactlyWhatThePageSays) {
  EXPECT_EQ(program_->ask("clocks"), readings(start_wall_ns, start_mono_ns));
  page_.set(start_wall_ns + 1, start_mono_ns + 2);
  EXPECT_EQ(program_->ask("clocks"), readings(start_wall_ns + 1, start_mono_ns + 2));
}

TEST_P(OnPage, SeesAJumpBack) {
  page_.set(start_wall_ns - hour_ns, start_mono_ns);
  EXPECT_EQ(program_->ask("clocks"), readings(start_wall_ns - hour_ns, start_mono_ns));
}

TEST_P(OnPage, SleepsAnHourInNoTime) {
  ASSERT_EQ(program_->ask("sleep 3600"), "waiting");
  program_->settle();
  move_to(hour_ns - second_ns);
  EXPECT_EQ(program_->answer_within(30), "(nothing)");
  program_->settle();
  move_to(hour_ns);
  EXPECT_EQ(program_->answer(), "timed out");
}

TEST_P(OnPage, WaitsAnHourInNoTime) {
  ASSERT_EQ(program_->ask("wait 3600"), "waiting");
  program_->settle();
  move_to(hour_ns - second_ns);
  EXPECT_EQ(program_->answer_within(30), "(nothing)");
  program_->settle();
  move_to(hour_ns);
  EXPECT_EQ(program_->answer(), "timed out");
}

INSTANTIATE_TEST_SUITE_P(Probe, OnPage, testing::ValuesIn(languages()), name_of_language);

// One connection, which sends a command as a person would type it and gives the first line of the answer.
class Redis {
 public:
  explicit Redis(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    for (int tries = 0; tries < 3000; ++tries) {
      socket_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
      if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) {
        return;
      }
      ::close(socket_);
      pause_ms(10);
    }
    ADD_FAILURE() << "redis-server does not listen";
  }
  Redis(const Redis&) = delete;
  Redis& operator=(const Redis&) = delete;
  ~Redis() { ::close(socket_); }

  std::string ask(const std::string& command) const {
    const std::string line = command + "\r\n";
    EXPECT_EQ(::send(socket_, line.data(), line.size(), MSG_NOSIGNAL), static_cast<ssize_t>(line.size()));
    std::string answer(256, '\0');
    pollfd polled{socket_, POLLIN, 0};
    const ssize_t got =
        ::poll(&polled, 1, 30'000) == 1 ? ::recv(socket_, answer.data(), answer.size(), 0) : 0;
    return answer.substr(0, answer.find('\r') < static_cast<std::size_t>(got) ? answer.find('\r') : 0);
  }

 private:
  int socket_ = -1;
};

class RedisOnPage : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_program("redis-server")) {
      GTEST_SKIP() << "there is no redis-server on this machine";
    }
    write_clock_shim(folder_.file("clock.so"));
    page_.set(start_ms * 1'000'000, start_mono_ns);
    launch_ = std::make_unique<ClockLaunch>(page_.file(), folder_.file("clock.so"), ClockWay::libc);
    const std::string socket = folder_.file("socket").string();
    server_ = std::make_unique<Program>(
        *launch_, std::vector<std::string>{"redis-server", "--port", "0", "--unixsocket", socket, "--save",
                                           "", "--appendonly", "no", "--dir", folder_.file("").string()});
    redis_ = std::make_unique<Redis>(socket);
  }
  void move_to_ms(std::int64_t length_ms) {
    page_.set((start_ms + length_ms) * 1'000'000, start_mono_ns + length_ms * 1'000'000);
  }

  static constexpr std::int64_t start_ms = 1'000'000'000'123;
  const Folder folder_;
  ClockPage page_{folder_.file("page")};
  std::unique_ptr<ClockLaunch> launch_;
  std::unique_ptr<Program> server_;
  std::unique_ptr<Redis> redis_;
};

// Redis keeps a key up to and including the millisecond that its PX names.
TEST_F(RedisOnPage, ExpiresALeaseExactlyWhenThePageSaysSo) {
  EXPECT_EQ(redis_->ask("SET k v NX PX 30000"), "+OK");
  EXPECT_EQ(redis_->ask("PTTL k"), ":30000");
  move_to_ms(29'999);
  EXPECT_EQ(redis_->ask("PTTL k"), ":1");
  EXPECT_EQ(redis_->ask("SET k w NX PX 30000"), "$-1");
  move_to_ms(30'000);
  EXPECT_EQ(redis_->ask("EXISTS k"), ":1");
  move_to_ms(30'001);
  EXPECT_EQ(redis_->ask("EXISTS k"), ":0");
  EXPECT_EQ(redis_->ask("SET k w NX PX 30000"), "+OK");
}

TEST_F(RedisOnPage, RestsWhileItsClockStandsStill) {
  EXPECT_EQ(redis_->ask("PING"), "+PONG");
  server_->settle();
  const std::int64_t before = server_->used_ticks();
  pause_ms(500);
  EXPECT_LT(server_->used_ticks() - before, 10) << "ticks of 10 ms in half a second";
}

TEST(ClockLaunch, RefusesAPathThatTheLoaderWouldCutInTwo) {
  try {
    const ClockLaunch launch("page", "a folder/clock.so", ClockWay::libc);
    FAIL() << "took a path with a blank";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("its path has a blank or a colon"));
  }
}

// Nanoseconds of a call, as a program measures them on its own processor clock; a figure to read, not a test.
double cost_of_reading(const ClockLaunch& launch, const std::string& probe) {
  Program program(launch, {probe});
  return std::stod(program.ask("measure 2000000")) / 10;
}

TEST(ClockLaunch, ShowsWhatAReadingCosts) {
  const Folder folder;
  const std::string probe = folder.file("probe").string();
  ASSERT_TRUE(succeeds("cc -O2 -w -pthread -o " + probe + " " + source_of("probe.c")));
  write_clock_shim(folder.file("clock.so"));
  ClockPage page(folder.file("page"));
  const ClockLaunch libc(page.file(), folder.file("clock.so"), ClockWay::libc);
  const ClockLaunch vdso(page.file(), "", ClockWay::vdso);
  const auto show = [&](const std::string& what) {
    fmt::print("clock_gettime, {}: {:.1f} ns by the preloaded library", what, cost_of_reading(libc, probe));
    if (why_no_virtual_time(ClockWay::vdso).empty()) {
      fmt::print(", {:.1f} ns by the vDSO", cost_of_reading(vdso, probe));
    }
    fmt::print("\n");
  };
  show("real time plus an offset");
  page.set(start_wall_ns, start_mono_ns);
  show("virtual time");
  std::filesystem::remove(page.file());
  fmt::print("clock_gettime, no page: {:.1f} ns by the preloaded library\n", cost_of_reading(libc, probe));
}

}  // namespace launch_test
}  // namespace holdfast
