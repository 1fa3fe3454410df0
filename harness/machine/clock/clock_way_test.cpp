// Programs of several kinds, started the right way and the wrong one.
#include "harness/machine/clock/clock_way.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/machine/clock/test_probe.h"

namespace holdfast {
namespace clock_way_test {

using namespace test_probe;
using testing::HasSubstr;

class ClockWayTest : public testing::Test {
 protected:
  std::string built(const std::string& name, const std::string& command) {
    const std::string file = folder_.file(name).string();
    EXPECT_TRUE(succeeds("cd " + folder_.file("").string() + " && " + command + " -o " + file));
    return file;
  }
  std::string dynamic() { return built("dynamic", "cc -w -pthread " + source_of("probe.c")); }
  std::string without_loader() { return built("static", "cc -w -pthread -static " + source_of("probe.c")); }
  // What a program says that was started this way, once it has answered.
  std::string why_not(ClockWay way, const std::string& file) {
    write_clock_shim(folder_.file("clock.so"));
    const ClockLaunch launch(page_.file(), folder_.file("clock.so"), way);
    Program program(launch, {file});
    program.ask("clocks");
    return why_not_on_page(program.pid(), page_.file(), way);
  }

  const Folder folder_;
  ClockPage page_{folder_.file("page")};
};

TEST_F(ClockWayTest, IsFoundByWhatTheProgramIs) {
  EXPECT_EQ(clock_way_of(dynamic()), ClockWay::libc);
  EXPECT_EQ(clock_way_of(without_loader()), ClockWay::vdso);
  const std::string script = folder_.file("script").string();
  std::ofstream(script) << "#!/bin/sh\n";
  EXPECT_EQ(clock_way_of(script), ClockWay::libc);
}

TEST_F(ClockWayTest, OfAGoProgramIsTheVdsoEvenIfItIsLinkedWithLibc) {
  if (!has_program("go")) {
    GTEST_SKIP() << "there is no go on this machine";
  }
  std::ofstream(folder_.file("main.go").string())
      << "package main\n// #include <stdlib.h>\nimport \"C\"\nfunc main() { C.abs(-1) }\n";
  ASSERT_TRUE(
      succeeds("cd " + folder_.file("").string() + " && CGO_ENABLED=1 go build -ldflags=-s -o with main.go"));
  EXPECT_EQ(clock_way_of(folder_.file("with")), ClockWay::vdso);
}

TEST_F(ClockWayTest, OfWhatIsNoProgramIsOneSentence) {
  const std::string file = folder_.file("no-program").string();
  std::ofstream(file) << "text";
  EXPECT_THAT([&] { clock_way_of(file); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("is no 64-bit program")));
  const std::string missing = folder_.file("not-there").string();
  EXPECT_THAT([&] { clock_way_of(missing); },
              testing::ThrowsMessage<std::runtime_error>("there is no program " + missing + "."));
  EXPECT_THAT([&] { clock_way_of(file + "/below"); },
              testing::ThrowsMessage<std::runtime_error>("there is no program " + file + "/below."));
  std::filesystem::create_symlink("itself", folder_.file("itself"));
  EXPECT_THAT([&] { clock_way_of(folder_.file("itself")); },
              testing::ThrowsMessage<std::runtime_error>(
                  HasSubstr("cannot be read (Too many levels of symbolic links), so that")));
}

TEST_F(ClockWayTest, IsVerifiedInTheRunningProcess) {
  EXPECT_EQ(why_not(ClockWay::libc, dynamic()), "");
  if (why_no_virtual_time(ClockWay::vdso).empty()) {
    EXPECT_EQ(why_not(ClockWay::vdso, without_loader()), "");
    EXPECT_EQ(why_not(ClockWay::vdso, dynamic()), "");
  }
  EXPECT_THAT(why_not(ClockWay::libc, without_loader()),
              HasSubstr("does not follow the clock that it was given: it reads the time without libc"));
}

TEST_F(ClockWayTest, IsVerifiedWhateverCharactersTheNameOfThePageHas) {
  write_clock_shim(folder_.file("clock.so"));
  const std::string file = dynamic();
  for (const char* const name : {"new\nline", "back\\012slash", "a space", "\n\n"}) {
    const ClockPage page(folder_.file(name));
    const ClockLaunch launch(page.file(), folder_.file("clock.so"), ClockWay::libc);
    Program program(launch, {file});
    program.ask("clocks");
    EXPECT_EQ(why_not_on_page(program.pid(), page.file(), ClockWay::libc), "") << name;
  }
}

TEST_F(ClockWayTest, SaysThatAProcessHasNotMappedItsPage) {
  EXPECT_THAT(why_not_on_page(::getpid(), folder_.file("another"), ClockWay::vdso),
              HasSubstr("it has not mapped the page"));
  EXPECT_THAT(why_not_on_page(1 << 22, page_.file(), ClockWay::libc), HasSubstr("is gone"));
}

}  // namespace clock_way_test
}  // namespace holdfast
