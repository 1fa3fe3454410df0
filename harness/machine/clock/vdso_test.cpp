// Runs a static program, which no preloaded library can reach, with its vDSO redirected.
#include "harness/machine/clock/vdso.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "harness/machine/clock/test_probe.h"

namespace holdfast {
namespace vdso_test {

using namespace test_probe;
using testing::HasSubstr;

class Vdso : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_virtual_time(ClockWay::vdso); !why.empty()) {
      GTEST_SKIP() << why;
    }
    page_.set(start_wall_ns, start_mono_ns);
  }
  std::string compile(const std::string& options) {
    const std::string file = folder_.file("probe").string();
    EXPECT_TRUE(succeeds("cc -O1 -w -pthread " + options + " -o " + file + " " + source_of("probe.c")));
    return file;
  }

  const Folder folder_;
  ClockPage page_{folder_.file("page")};
  const ClockLaunch launch_{page_.file(), "", ClockWay::vdso};
};

TEST_F(Vdso, AnswersForEveryClockButTheProcessorsOwn) {
  const std::string wall = std::to_string(start_wall_ns);
  const std::string mono = std::to_string(start_mono_ns);
  const std::string expected = wall + " " + wall + " " + mono + " " + mono + " " + mono + " " + mono + " " +
                               std::to_string(start_wall_ns / 1000) + " " +
                               std::to_string(start_wall_ns / second_ns) + " same own";
  for (const std::string options : {"-static", "-static-pie", ""}) {
    Program program(launch_, {compile(options)});
    EXPECT_EQ(program.ask("all clocks"), expected) << options;
  }
}

TEST_F(Vdso, AddsOffsetsToRealTime) {
  page_.set_offsets(0, 0);
  Program program(launch_, {compile("-static")});
  std::int64_t wall_before = 0;
  std::int64_t mono_before = 0;
  std::istringstream(program.ask("clocks")) >> wall_before >> mono_before;
  page_.set_offsets(-1000 * hour_ns, 500 * hour_ns);
  std::int64_t wall = 0;
  std::int64_t mono = 0;
  std::istringstream(program.ask("clocks")) >> wall >> mono;
  EXPECT_GE(wall - wall_before, -1000 * hour_ns);
  EXPECT_LT(wall - wall_before, -999 * hour_ns);
  EXPECT_GE(mono - mono_before, 500 * hour_ns);
  EXPECT_LT(mono - mono_before, 501 * hour_ns);
  page_.set_offsets(0, -1'000'000 * hour_ns);
  EXPECT_THAT(program.ask("clocks"), testing::EndsWith(" 0"));
}

TEST_F(Vdso, SaysThatAProgramEndedBeforeItBegan) {
  try {
    const Program program(launch_, {folder_.file("no-such-program").string()});
    FAIL() << "started a program that is not there";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("it ended with exit code 127 before it began"));
  }
}

TEST_F(Vdso, SaysThatThePageCannotBeOpened) {
  const std::string probe = compile("-static");
  std::filesystem::remove(page_.file());
  try {
    const Program program(launch_, {probe});
    FAIL() << "ran on a page that is not there";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("it cannot open " + page_.file().string()));
  }
}

}  // namespace vdso_test
}  // namespace holdfast
