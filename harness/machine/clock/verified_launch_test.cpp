// Programs that are hard to put on a clock page: static ones, ones with rights of their own, ones that a
// loader or a script starts, and a place where nothing may be executed.
#include "harness/machine/clock/verified_launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <cstddef>
#include <memory>
#include <thread>

#include "harness/machine/clock/test_probe.h"
#include "harness/machine/process/descriptor.h"
#include "harness/machine/process/live_error.h"

namespace holdfast {
namespace verified_launch_test {

using namespace test_probe;
using live::LiveError;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

// A program that was started by a VerifiedLaunch, and what it says.
class Started {
 public:
  Started(VerifiedLaunch& launch, const std::vector<std::string>& command) {
    int orders[2] = {-1, -1};
    int answers[2] = {-1, -1};
    if (::pipe2(orders, O_CLOEXEC) != 0 || ::pipe2(answers, O_CLOEXEC) != 0) {
      throw std::runtime_error("no pipes for a test program");
    }
    const live::Descriptor its_input(orders[0]);
    const live::Descriptor its_output(answers[1]);
    orders_ = live::Descriptor(orders[1]);
    answers_ = live::Descriptor(answers[0]);
    live::ChildOptions options;
    options.arguments = command;
    options.input = its_input.get();
    options.standard_output = its_output.get();
    launch.prepare(options);
    child_ = std::make_unique<live::Child>(options);
  }

  pid_t process() const { return child_->process(); }
  void tell(const std::string& order) const {
    EXPECT_EQ(::write(orders_.get(), (order + "\n").data(), order.size() + 1),
              static_cast<ssize_t>(order.size() + 1));
  }
  std::string answer(int limit_ms = 30'000) const {
    std::string line;
    pollfd polled{answers_.get(), POLLIN, 0};
    for (char letter = 0; ::poll(&polled, 1, limit_ms) == 1 && ::read(answers_.get(), &letter, 1) == 1;) {
      if (letter == '\n') {
        return line;
      }
      line += letter;
    }
    return "(nothing)";
  }
  // The wall clock, as the program reads it.
  std::int64_t wall_ns() const {
    tell("clocks");
    return std::stoll(answer());
  }

 private:
  live::Descriptor orders_;
  live::Descriptor answers_;
  std::unique_ptr<live::Child> child_;
};

class VerifiedLaunchTest : public testing::Test {
 protected:
  std::string built(const std::string& name, const std::string& flags = "") const {
    const std::string file = folder_.file(name).string();
    EXPECT_TRUE(succeeds("cc -w -pthread " + flags + " " + source_of("probe.c") + " -o " + file));
    return file;
  }
  std::string script_for(const std::string& program) const {
    const std::string file = folder_.file("script").string();
    std::ofstream(file) << "#!/bin/sh\nexec " << program << " \"$@\"\n";
    EXPECT_TRUE(succeeds("chmod +x " + file));
    return file;
  }
  // A copy with rights of its own: those of a group that is not ours.
  std::string with_rights(const std::string& program) const {
    EXPECT_TRUE(succeeds("chgrp 65534 " + program + " && chmod g+s " + program));
    return program;
  }
  // Starts it, sees it follow its page, and says which way that went.
  ClockWay followed_by(const std::vector<std::string>& command, const std::string& directory = "") {
    page_.set(start_wall_ns, start_mono_ns);
    VerifiedLaunch launch(page_, directory.empty() ? folder_.file("") : std::filesystem::path(directory),
                          command);
    const Started program(launch, command);
    program.wall_ns();  // it is up
    launch.verify(program.process(), [&] { return program.wall_ns(); });
    EXPECT_EQ(program.wall_ns(), start_wall_ns);
    return launch.way();
  }
  static bool has_ptrace() { return why_no_virtual_time(ClockWay::vdso).empty(); }

  const Folder folder_;
  ClockPage page_{folder_.file("page")};
};

TEST_F(VerifiedLaunchTest, TakesTheWayThatSuitsTheProgram) {
  EXPECT_EQ(followed_by({built("dynamic")}), ClockWay::libc);
  if (has_ptrace()) {
    EXPECT_EQ(followed_by({built("static", "-static")}), ClockWay::vdso);
  }
}

TEST_F(VerifiedLaunchTest, LooksAtTheProgramBehindALoader) {
  const std::string loader = "/lib64/ld-linux-x86-64.so.2";
  if (!std::filesystem::exists(loader)) {
    GTEST_SKIP() << "the loader has another name on this machine";
  }
  EXPECT_EQ(followed_by({loader, "--library-path", "/lib/x86_64-linux-gnu", built("dynamic")}),
            ClockWay::libc);
}

TEST_F(VerifiedLaunchTest, LooksAtTheProgramThatAScriptBecame) {
  EXPECT_EQ(followed_by({script_for(built("dynamic"))}), ClockWay::libc);
  const std::string script = script_for(built("static", "-static"));
  EXPECT_THAT([&] { followed_by({script}); },
              ThrowsMessage<LiveError>(AllOf(HasSubstr("does not follow the clock that it was given"),
                                             HasSubstr("was started by another program; name it itself"))));
}

TEST_F(VerifiedLaunchTest, StartsAProgramWithRightsOfItsOwnByTheVdso) {
  if (::getuid() != 0 || !has_ptrace()) {
    GTEST_SKIP() << "it takes root to give rights away, and ptrace";
  }
  EXPECT_EQ(followed_by({with_rights(built("dynamic"))}), ClockWay::vdso);
}

// Capabilities of a file are nothing to root, so the program is started by somebody else.
TEST_F(VerifiedLaunchTest, StartsAProgramWithCapabilitiesByTheVdso) {
  const std::string program = built("dynamic");
  if (::getuid() != 0 || !has_ptrace() ||
      !succeeds("PATH=$PATH:/usr/sbin setcap cap_net_bind_service+ep " + program)) {
    GTEST_SKIP() << "it takes root, setcap, ptrace, and files that can have capabilities";
  }
  std::filesystem::permissions(folder_.file(""), std::filesystem::perms::all);
  std::thread([&] {
    constexpr long nobody = 65534;
    ASSERT_EQ(::syscall(SYS_setresuid, nobody, nobody, nobody), 0);  // this thread alone, not libc's all
    ::prctl(PR_SET_DUMPABLE, 1);
    EXPECT_EQ(followed_by({program}), ClockWay::vdso);
  }).join();
}

TEST_F(VerifiedLaunchTest, LoadsItsLibraryFromMemoryWhereNothingMayBeExecuted) {
  const std::string program = built("dynamic");
  const std::string place = folder_.file("noexec").string();
  std::filesystem::create_directory(place);
  bool is_mounted = false;
  std::thread([&] {  // a namespace of mounts of its own
    is_mounted = ::unshare(CLONE_NEWNS) == 0 &&
                 ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                 ::mount("none", place.c_str(), "tmpfs", MS_NOEXEC, nullptr) == 0;
    if (is_mounted) {
      EXPECT_EQ(followed_by({program}, place), ClockWay::libc);
      EXPECT_TRUE(std::filesystem::exists(place + "/clock.so")) << "it was not even tried";
    }
  })
      .join();
  if (!is_mounted) {
    GTEST_SKIP() << "nothing may be mounted here";
  }
}

TEST_F(VerifiedLaunchTest, BelievesNoOtherTimeThanThatOfThePage) {
  page_.set(start_wall_ns, start_mono_ns);
  const std::string program = built("dynamic");
  VerifiedLaunch launch(page_, folder_.file(""), {program});
  const Started started(launch, {program});
  started.wall_ns();
  EXPECT_THAT([&] { launch.verify(started.process(), [] { return start_wall_ns + second_ns; }); },
              ThrowsMessage<LiveError>(AllOf(HasSubstr("does not follow the clock that it was given"),
                                             HasSubstr("1000000000.123 s after 1970 there"))));
}

TEST_F(VerifiedLaunchTest, MovesAPageOfRealTimeOnceAndPutsItBack) {
  page_.set_offsets(5 * second_ns, 7);
  const std::string program = built("dynamic");
  VerifiedLaunch launch(page_, folder_.file(""), {program});
  const Started started(launch, {program});
  started.wall_ns();
  std::vector<std::int64_t> offsets_ns;
  const auto asked = [&] {
    offsets_ns.push_back(page_.wall_offset_ns());
    return started.wall_ns();
  };
  launch.verify(started.process(), asked);
  launch.verify(started.process(), asked);
  EXPECT_THAT(offsets_ns, testing::ElementsAre(5 * second_ns - hour_ns, 5 * second_ns));
  EXPECT_EQ(page_.wall_offset_ns(), 5 * second_ns);
  EXPECT_EQ(page_.mono_offset_ns(), 7);
  EXPECT_FALSE(page_.is_virtual());
}

TEST_F(VerifiedLaunchTest, OfRealTimeIsNoProof) {
  const std::string program = built("dynamic");
  VerifiedLaunch launch(page_, folder_.file(""), {program});
  const Started started(launch, {program});
  started.wall_ns();
  const ClockPage real(folder_.file("another"));
  EXPECT_THROW(launch.verify(started.process(), [&] { return real.wall_ns(); }), LiveError);
  EXPECT_EQ(page_.wall_offset_ns(), 0) << "the page was not put back";
}

// etcd does, and libuuid: the page ticks while one waits for them.
TEST_F(VerifiedLaunchTest, LetsThePageBeMovedWhileAProgramComesUp) {
  const std::string source = folder_.file("spins.c").string();
  const std::string program = folder_.file("spins").string();
  std::ofstream(source) << "#include <stdio.h>\n#include <time.h>\n"
                           "int main(void) { const time_t start = time(0);\n"
                           "while (time(0) < start + 3) {} puts(\"up\"); fflush(stdout); getchar(); }\n";
  ASSERT_TRUE(succeeds("cc " + source + " -o " + program));
  page_.set(start_wall_ns, start_mono_ns);
  VerifiedLaunch launch(page_, folder_.file(""), {program});
  const Started started(launch, {program});
  EXPECT_EQ(started.answer(20), "(nothing)");
  std::string said;
  for (std::int64_t ticks = 1; said != "up" && ticks < 1000; ++ticks) {
    page_.set(start_wall_ns + ticks * second_ns, start_mono_ns + ticks * second_ns);
    launch.after_move(started.process());
    said = started.answer(10);
  }
  EXPECT_EQ(said, "up");
  launch.verify(started.process());
}

TEST_F(VerifiedLaunchTest, SaysThatAProgramIsNone) {
  const std::string file = folder_.file("text").string();
  std::ofstream(file) << "text";
  EXPECT_THAT([&] { VerifiedLaunch(page_, folder_.file(""), {file}); },
              ThrowsMessage<LiveError>(HasSubstr("is no 64-bit program")));
  EXPECT_THAT([&] { VerifiedLaunch(page_, folder_.file(""), {"no-such-program-anywhere"}); },
              ThrowsMessage<LiveError>(HasSubstr("is not installed")));
}

// These calls are refused from now on; for the rest of this process's life.
bool refuse_calls(unsigned one, unsigned other) {
  constexpr unsigned refused = SECCOMP_RET_ERRNO | EPERM;
  std::array<sock_filter, 5> filter = {{{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
                                        {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, one},
                                        {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, other},
                                        {BPF_RET | BPF_K, 0, 0, refused},
                                        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}}};
  const sock_fprog program{filter.size(), filter.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

// In a process of its own, which says on its standard error why a launch is refused.
class RefusedLaunch : public VerifiedLaunchTest {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  [[noreturn]] void tell(const std::string& program, const std::string& directory) {
    std::string said = "calls cannot be refused here";
    if (refuse_calls(SYS_ptrace, SYS_memfd_create)) {
      try {
        const VerifiedLaunch launch(page_, directory, {program});
        said = "it was not refused";
      } catch (const LiveError& problem) {
        said = problem.what();
      }
    }
    end_with(said);
  }
  // Leaves nothing behind: this is a process that is not going to run destructors.
  [[noreturn]] void end_with(const std::string& said) const {
    ::dprintf(STDERR_FILENO, "%s\n", said.c_str());
    ::umount2(folder_.file("").c_str(), MNT_DETACH);
    std::error_code ignored;
    std::filesystem::remove_all(folder_.file(""), ignored);
    ::_exit(0);
  }
};

TEST_F(RefusedLaunch, IsASentenceForAProgramWithoutLibc) {
  EXPECT_EXIT(tell(built("static", "-static"), folder_.file("").string()), testing::ExitedWithCode(0),
              "the clock of .*/static cannot be steered: .*needs ptrace, which is forbidden here");
}

TEST_F(RefusedLaunch, IsASentenceForAProgramWithRightsOfItsOwn) {
  if (::getuid() != 0) {
    GTEST_SKIP() << "it takes root to give rights away";
  }
  EXPECT_EXIT(tell(with_rights(built("dynamic")), folder_.file("").string()), testing::ExitedWithCode(0),
              "cannot be steered: it has rights of its own .* use a copy of it without them");
}

TEST_F(RefusedLaunch, IsASentenceWhereNothingMayBeExecuted) {
  const auto on_such_a_mount = [&] {
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", folder_.file("").c_str(), "tmpfs", MS_NOEXEC, nullptr) != 0) {
      end_with("nothing may be mounted here");
    }
    tell("/bin/sh", folder_.file("").string());
  };
  EXPECT_EXIT(on_such_a_mount(), testing::ExitedWithCode(0),
              "(nothing can be loaded from .* set TMPDIR to another place|nothing may be mounted here)");
}

}  // namespace verified_launch_test
}  // namespace holdfast
