// Unmodified programs of five languages: their sleeps are exact to the nanosecond of virtual time.
#include <gtest/gtest.h>

#include "harness/machine/rest/test_held.h"

namespace holdfast::rest {
namespace languages_test {

using namespace test_held;

struct Language {
  std::string name;
  std::string needs;    // a program without which there is nothing to test
  std::string source;   // in probes/
  std::string build;    // a shell command in the test's folder; $source is the probe's
  std::string program;  // what runs; in PATH, or in the folder with a dot
  std::vector<std::string> arguments;
};

std::string name_of_language(const testing::TestParamInfo<Language>& info) {
  return info.param.name;
}

std::vector<Language> languages() {
  return {{"Python", "python3", "sleeps.py", "cp $source .", "python3", {"sleeps.py"}},
          {"Node", "node", "sleeps.js", "cp $source .", "node", {"--single-threaded-gc", "sleeps.js"}},
          {"Go", "go", "sleeps.go", "cp $source . && go build -o sleeps sleeps.go", "./sleeps", {}},
          {"Java",
           "javac",
           "Sleeps.java",
           "javac -J-XX:TieredStopAtLevel=1 -d . $source",
           "java",
           {"-XX:+UseSerialGC", "-XX:-UsePerfData", "-XX:TieredStopAtLevel=1", "-cp", ".", "Sleeps"}}};
}

class HeldLanguage : public Held, public testing::WithParamInterface<Language> {};

TEST_P(HeldLanguage, SleepsExactlyAsLongAsItAskedFor) {
  const Language& language = GetParam();
  if (!has_program(language.needs)) {
    GTEST_SKIP() << "there is no " << language.needs << " on this machine";
  }
  const std::string folder = directory_.path().string();
  ASSERT_TRUE(
      succeeds("cd " + folder + " && source=" + source_of(language.source) + " && " + language.build));
  Supervisor supervisor;
  std::vector<std::string> command = {language.program.starts_with('.') ? folder + "/" + language.program
                                                                        : real_path_of(language.program)};
  command.insert(command.end(), language.arguments.begin(), language.arguments.end());
  const std::size_t number = start(supervisor, command, {{"GOMAXPROCS", "1"}});
  run_to_end(supervisor, number);
  EXPECT_EQ(said(number), "sleep 1500000000\nwait 250000000\nminute 60000000000\n");
  EXPECT_EQ(supervisor.why_clock_is_doubted(number), "");
}

INSTANTIATE_TEST_SUITE_P(Sleeps, HeldLanguage, testing::ValuesIn(languages()), name_of_language);

}  // namespace languages_test
}  // namespace holdfast::rest
