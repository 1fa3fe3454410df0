// Runs the real program, as a user would: what it prints, where, and with which exit code.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/explore/exploration/plan.h"
#include "harness/machine/rest/why_no_rest.h"
#include "locks/lookup/lookup.h"

namespace holdfast::cli {
namespace {

namespace fs = std::filesystem;

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class CommandLine : public testing::Test {
 protected:
  CommandLine() : folder_(fs::path(testing::TempDir()) / ("holdfast-cli-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~CommandLine() override { fs::remove_all(folder_); }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  // `arguments` as typed into a shell; `behind` goes behind the program's standard error, "| head -1" say.
  Outcome holdfast(const std::string& arguments, const std::string& behind = "",
                   const std::string& environment = "HOLDFAST_SCENARIOS=" HOLDFAST_SOURCE_DIR
                                                    "/scenarios") const {
    const std::string command =
        "env " + environment + " " HOLDFAST_BINARY " " + arguments + " 2>" + file("stderr") + " " + behind;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    Outcome outcome;
    std::array<char, 4096> part{};
    for (std::size_t size = 0; (size = std::fread(part.data(), 1, part.size(), pipe)) > 0;) {
      outcome.out.append(part.data(), size);
    }
    const int status = ::pclose(pipe);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    outcome.err = content_of(file("stderr"));
    return outcome;
  }

  fs::path folder_;
};

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// One sentence: one line, on standard error, from the program.
void expect_sentence(const Outcome& outcome, std::string_view part) {
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(outcome.err.starts_with("holdfast: ")) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
}

// --- help and mistakes
// --------------------------------------------------------------------------------------

TEST_F(CommandLine, HelpNamesEveryCommandAndExitCode) {
  const Outcome help = holdfast("--help");
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.err, "");
  for (const char* part : {"list locks|mutants|scenarios|faults", "run SCENARIO", "replay LOG", "matrix",
                           "bench", "Examples", "Exit codes", "NO_COLOR"}) {
    EXPECT_TRUE(contains(help.out, part)) << part;
  }
}

TEST_F(CommandLine, EveryCommandHasAHelpOfItsOwn) {
  for (const std::string command : {"list", "run", "replay", "matrix", "check", "bench"}) {
    const Outcome help = holdfast(command + " --help");
    EXPECT_EQ(help.code, 0);
    EXPECT_TRUE(contains(help.out, "holdfast " + command)) << help.out;
  }
}

TEST_F(CommandLine, TakesTheNameOfACommandBehindAnotherAsAWord) {
  const Outcome outcome = holdfast("bench check --operations none");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "--operations")) << outcome.err;
  EXPECT_TRUE(contains(holdfast("list check").err, "list")) << holdfast("list check").err;
}

TEST_F(CommandLine, TellsItsVersion) {
  const Outcome version = holdfast("--version");
  EXPECT_EQ(version.code, 0);
  EXPECT_TRUE(version.out.starts_with("holdfast ")) << version.out;
}

TEST_F(CommandLine, AnswersEveryMistypedWordWithASuggestion) {
  expect_sentence(holdfast("lst locks"), R"(there is no command "lst"; did you mean "list"?)");
  expect_sentence(holdfast("list lokcs"), R"(did you mean "locks"?)");
  expect_sentence(holdfast("run gc-pause-wirte"), R"(did you mean "gc-pause-write"?)");
  expect_sentence(holdfast("run gc-pause-write --lock redis-px-cda"), R"(did you mean "redis-px-cad"?)");
  expect_sentence(holdfast("run gc-pause-write --sed 1"), R"(did you mean "--seed"?)");
  expect_sentence(holdfast("matrix --lock redis-px-cda"), R"(did you mean "redis-px-cad"?)");
  expect_sentence(holdfast("matrix --family pasue"), R"(did you mean "pause"?)");
  expect_sentence(holdfast("bench kernle"), R"(did you mean "kernel"?)");
  expect_sentence(holdfast("list locks --color alway"), R"(did you mean "always"?)");
}

TEST_F(CommandLine, SaysWhatIsMissing) {
  expect_sentence(holdfast(""), "a command is missing");
  expect_sentence(holdfast("run"), "which scenario");
  expect_sentence(holdfast("list"), "locks, mutants, scenarios, shapes, faults, topology or schema");
  expect_sentence(holdfast("list locks --markdown"), "--markdown goes with");
  expect_sentence(holdfast("replay"), "which log");
  expect_sentence(holdfast("run gc-pause-write --seed"), "--seed");
  expect_sentence(holdfast("run gc-pause-write another"), "one word too many");
}

TEST_F(CommandLine, AnOptionThatGotNothingIsNotTakenForNoneAtAll) {
  for (const char* line :
       {"run gc-pause-write --history", "run gc-pause-write --lock", "run gc-pause-write --seed",
        "matrix --baseline", "matrix --json", "explore --out", "report . --markdown",
        "run gc-pause-write --world live --endpoints", "list locks --scenarios"}) {
    expect_sentence(holdfast(std::string(line) + " ''"), "is given, but empty");
  }
  expect_sentence(holdfast("rest ''"), "a program without a name");
}

TEST_F(CommandLine, AnOptionDoesNotTakeTheNextOneForItsValue) {
  expect_sentence(holdfast("matrix --json --why"), "--json wants a value and got the option --why");
  expect_sentence(holdfast("run gc-pause-write --history --log log"), "--history wants a value");
}

TEST_F(CommandLine, RefusesSeedsThatAreNone) {
  for (const char* seed : {"-1", "abc", "1.5", "18446744073709551616", "0x10", "' 1'"}) {
    expect_sentence(holdfast(std::string("run gc-pause-write --seed ") + seed),
                    "--seed takes a whole number");
  }
  expect_sentence(holdfast("matrix --jobs 0"), "--jobs takes a whole number from 1");
}

TEST_F(CommandLine, RefusesPlacesThatAreNone) {
  expect_sentence(holdfast("run family-pause --place c1"), "--place takes FAULT@PROCESS:STEP");
  expect_sentence(holdfast("run family-pause --place 99@c1:1"), "--place names fault 99");
  expect_sentence(holdfast("run gc-pause-write --place 1@c1:1"), "nothing to --place");
  expect_sentence(holdfast("run family-pause --place 1@c1:1000000"), "never struck");
}

TEST_F(CommandLine, SaysThatADirectoryOfScenariosIsNone) {
  expect_sentence(holdfast("list scenarios --scenarios /nowhere"), "which is no directory");
  expect_sentence(holdfast("list scenarios", "", "HOLDFAST_SCENARIOS=/nowhere"), "HOLDFAST_SCENARIOS");
}

TEST_F(CommandLine, RefusesToTellAStoryOfOneLockWithAnother) {
  expect_sentence(holdfast("run setnx-crash --lock redis-px-cad"), "is a story about redis-setnx");
}

// --- output
// ---------------------------------------------------------------------------------------------------

TEST_F(CommandLine, ListsLocksScenariosAndFaults) {
  const Outcome locks = holdfast("list locks");
  EXPECT_EQ(locks.code, 0);
  EXPECT_TRUE(contains(locks.out, "redis-px-cad "));
  EXPECT_TRUE(contains(holdfast("list scenarios").out, "gc-pause-write "));
  EXPECT_TRUE(contains(holdfast("list faults").out, "gc-pause "));
}

TEST_F(CommandLine, SaysWhatTheRowsOfFaultsAndStoresSay) {
  const std::string faults = holdfast("list faults").out;
  EXPECT_TRUE(contains(faults, "on, at, by, [peers], [direction], [for or until]")) << faults;
  EXPECT_TRUE(contains(faults, "wall, monotonic or both")) << faults;
  EXPECT_TRUE(contains(holdfast("list topology").out, "never, every_second or always"));
  EXPECT_TRUE(contains(holdfast("list topology --markdown").out, "| `redis` | `replicas` | 0 to 5 | 0 |"));
  EXPECT_TRUE(nlohmann::json::parse(holdfast("list schema").out).contains("$defs"));
}

TEST_F(CommandLine, ListsAsJson) {
  for (const std::string topic : {"locks", "scenarios", "faults", "topology"}) {
    const auto json = nlohmann::json::parse(holdfast("list " + topic + " --json").out);
    EXPECT_TRUE(json.is_array());
    EXPECT_FALSE(json.empty());
  }
}

TEST_F(CommandLine, IsQuietWhenItsReaderGoesAway) {
  const Outcome outcome = holdfast("list locks", "| head -1");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1);
}

TEST_F(CommandLine, SaysThatItsOutputCannotBeWritten) {
  expect_sentence(holdfast("list locks >/dev/full"), "cannot write to standard output");
}

TEST_F(CommandLine, UsesColorOnlyWhenAsked) {
  EXPECT_FALSE(contains(holdfast("list locks").out, "\x1b"));
  EXPECT_TRUE(contains(holdfast("list locks --color always").out, "\x1b["));
}

// --- run and replay
// ---------------------------------------------------------------------------------------------

TEST_F(CommandLine, TellsAStoryWithFaultViolationVerdictAndReplay) {
  const Outcome story = holdfast("run gc-pause-write");
  EXPECT_EQ(story.code, 1) << story.err;
  for (const char* part : {"c1", "storage", "granted #1", "▒▒ pauses", "✗", "(as expected)", "fingerprint",
                           "holdfast run gc-pause-write --lock "}) {
    EXPECT_TRUE(contains(story.out, part)) << part << "\n" << story.out;
  }
}

TEST_F(CommandLine, ExitsWellWithExpectedIfTheLetterIs) {
  EXPECT_EQ(holdfast("run gc-pause-write --expected").code, 0);
}

TEST_F(CommandLine, GivesTheSameOutputAndHistoryTwice) {
  const Outcome first = holdfast("run gc-pause-write --seed 7 --history " + file("first"));
  const Outcome second = holdfast("run gc-pause-write --seed 7 --history " + file("second"));
  EXPECT_EQ(first.out, second.out);
  EXPECT_FALSE(content_of(file("first")).empty());
  EXPECT_EQ(content_of(file("first")), content_of(file("second")));
}

TEST_F(CommandLine, WritesAHistoryOfJsonLines) {
  holdfast("run gc-pause-write --history " + file("history"));
  std::ifstream lines(file("history"));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_TRUE(nlohmann::json::accept(line)) << line;
  }
  EXPECT_GT(count, 10U);
}

TEST_F(CommandLine, TellsTheWorstRunOfAFamily) {
  const Outcome family = holdfast("run family-pause --lock redis-px-cad");
  EXPECT_EQ(family.code, 1) << family.err;
  EXPECT_TRUE(contains(family.out, " runs: ")) << family.out;
  EXPECT_TRUE(contains(family.out, "--place 1@c")) << family.out;
}

TEST_F(CommandLine, PrintsVerdictsAsJson) {
  const auto json = nlohmann::json::parse(holdfast("run gc-pause-write --json").out);
  EXPECT_EQ(json.at("letter"), "V");
  EXPECT_EQ(json.at("scenario"), "gc-pause-write");
  EXPECT_FALSE(json.at("verdicts").empty());
}

TEST_F(CommandLine, ReplaysALogToTheSameFingerprint) {
  const auto json =
      nlohmann::json::parse(holdfast("run gc-pause-write --seed 3 --json --log " + file("log")).out);
  const Outcome replay = holdfast("replay " + file("log"));
  EXPECT_EQ(replay.code, 1) << replay.err;
  EXPECT_TRUE(contains(replay.out, json.at("fingerprint").get<std::string>())) << replay.out;
  EXPECT_TRUE(contains(replay.out, "the same run")) << replay.out;
}

TEST_F(CommandLine, SaysWhereALogDoesNotFit) {
  holdfast("run gc-pause-write --log " + file("log"));
  std::ifstream log(file("log"));
  std::string kept;
  for (std::string line; std::getline(log, line) && std::count(kept.begin(), kept.end(), '\n') < 4;) {
    kept += line + "\n";
  }
  std::ofstream(file("short-log")) << kept;
  expect_sentence(holdfast("replay " + file("short-log")), "short-log");
  expect_sentence(holdfast("replay " + file("no-such-log")), "no-such-log");
}

TEST_F(CommandLine, NamesTheLogWhoseLockThereIsNot) {
  holdfast("run family-none --lock redis-px-cad --log " + file("log"));
  std::ifstream log(file("log"));
  std::string text{std::istreambuf_iterator<char>(log), {}};
  text.replace(text.find("redis-px-cad"), 12, "redis-px-cda");  // the log's own, before its scenario's
  std::ofstream(file("other-log")) << text;
  const Outcome replay = holdfast("replay " + file("other-log"));
  expect_sentence(replay, "other-log cannot be replayed: there is no lock \"redis-px-cda\"; did you mean");
}

TEST_F(CommandLine, SaysThatAFileCannotBeWritten) {
  expect_sentence(holdfast("run gc-pause-write --history /nowhere/history"), "/nowhere/history");
  expect_sentence(holdfast("run gc-pause-write --log /nowhere/log"), "/nowhere/log");
  expect_sentence(holdfast("matrix --lock redis-px-cad --family none --json /nowhere/cells"),
                  "/nowhere/cells");
}

// --- matrix
// -----------------------------------------------------------------------------------------------------

TEST_F(CommandLine, ShowsTheMatrixOfOneLock) {
  const Outcome matrix = holdfast("matrix --lock redis-px-cad --family pause --family none");
  EXPECT_EQ(matrix.code, 0) << matrix.out << matrix.err;
  for (const char* part : {"pause", "none", "redis-px-cad", " runs/s", "expected table"}) {
    EXPECT_TRUE(contains(matrix.out, part)) << part << "\n" << matrix.out;
  }
}

TEST_F(CommandLine, GivesTheSameMatrixWhateverTheNumberOfJobs) {
  holdfast("matrix --lock 'redis-px-*' --family pause --jobs 1 --json " + file("one"));
  holdfast("matrix --lock 'redis-px-*' --family pause --jobs 3 --json " + file("three"));
  const std::string one = content_of(file("one"));
  EXPECT_TRUE(nlohmann::json::accept(one));
  EXPECT_EQ(one, content_of(file("three")));
}

// --- mutants
// ----------------------------------------------------------------------------------------------------

class CommandLineAtRest : public CommandLine {
 protected:
  void SetUp() override {
    if (const std::string why = rest::why_no_rest(); !why.empty()) {
      GTEST_SKIP() << why;
    }
  }
};

TEST_F(CommandLineAtRest, RunsAProgramOnVirtualTime) {
  const Outcome slept = holdfast("rest --for 2h sleep 3600");
  EXPECT_EQ(slept.code, 0) << slept.err;
  EXPECT_TRUE(contains(slept.out, "sleep, 3600.000 s of its own time")) << slept.out;
  EXPECT_TRUE(contains(slept.out, "it ended by itself (exit code 0) after 3600.000 s")) << slept.out;
  EXPECT_TRUE(contains(slept.out, "follows it      it has not read it")) << slept.out;

  const Outcome server = holdfast("rest --for 1s redis-server --port 0 --unixsocket " + file("socket") +
                                  " --save '' --dir " + file(""));
  EXPECT_EQ(server.code, 0) << server.err;
  EXPECT_TRUE(contains(server.out, "clock           by libc")) << server.out;
  EXPECT_TRUE(contains(server.out, "follows it      yes")) << server.out;
  EXPECT_TRUE(contains(server.out, "its next deadline is in ")) << server.out;
}

TEST_F(CommandLineAtRest, AProgramThatWritesWithoutAnEndDoesNotFillTheDisk) {
  const Outcome limit = holdfast("rest sh -c 'ulimit -f'");  // in blocks of 512 bytes
  EXPECT_TRUE(contains(limit.out, "said last       2097152")) << limit.out << limit.err;
}

TEST_F(CommandLineAtRest, SaysWhyAProgramCannotBeRunOnVirtualTime) {
  const Outcome forked = holdfast("rest sh -c 'ls; ls'");
  EXPECT_EQ(forked.code, 2);
  EXPECT_TRUE(contains(forked.err, "starts another process")) << forked.err;
  const Outcome died = holdfast("rest sh -c 'kill -SEGV $$'");
  EXPECT_EQ(died.code, 1) << died.out << died.err;
  EXPECT_TRUE(contains(died.out, "it died (signal 11) after")) << died.out;
  EXPECT_EQ(holdfast("rest sh -c 'exit 3'").code, 0);
  EXPECT_EQ(holdfast("rest").code, 2);
  EXPECT_EQ(holdfast("rest /nonexist").err, "holdfast: there is no program /nonexist.\n");
  expect_sentence(holdfast("rest /bin/true", "", "prlimit --nofile=8"), "Too many open files");
  EXPECT_TRUE(contains(holdfast("rest --for soon ls").err, "--for takes a time")) << "not a time";
  EXPECT_TRUE(contains(holdfast("rest --fro 3s ls").err, "did you mean \"--for\"")) << "an option of ours";
}

TEST_F(CommandLine, ListsMutantsApartFromTheLocks) {
  EXPECT_TRUE(contains(holdfast("list mutants").out, "mutant-px-get-del"));
  EXPECT_FALSE(contains(holdfast("list locks").out, "mutant-"));
  expect_sentence(holdfast("matrix --lock mutant-px-get-del"), "there is no lock");
  expect_sentence(holdfast("run gc-pause-write --lock mutant-px-get-dle"),
                  R"(did you mean "mutant-px-get-del"?)");
}

TEST_F(CommandLine, RunsExploresAndReplaysAMutantByName) {
  EXPECT_EQ(holdfast("run gc-pause-write --lock mutant-px-get-del --log " + file("log")).code, 1);
  EXPECT_TRUE(contains(holdfast("replay " + file("log")).out, "mutant-px-get-del"));
  const Outcome explored = holdfast("explore --lock mutant-redlock-shared-value --runs 100");
  EXPECT_EQ(explored.code, 1);
  EXPECT_TRUE(contains(explored.out, "mutant-redlock-shared-value")) << explored.out << explored.err;
}

// What is said where holdfast itself proves wrong in the midst of a run (exploration_test.cpp).
TEST_F(CommandLine, TakesTheCommandOfEveryRunOfAnExploration) {
  const Shelf shelf(std::string(HOLDFAST_SOURCE_DIR "/scenarios"));
  TargetShelf targets(shelf);
  for (const char* const scenario : {"family-pause", "gc-pause-write"}) {
    for (const ExplorerEntry& explorer : all_explorers()) {
      ExploreRequest request;
      request.locks = {find_lock("redis-px-cad")};
      request.scenario = scenario;
      request.explorers = {&explorer};
      request.seed = 3;
      request.most_faults = 1;
      if (targets.scenario(scenario).is_family()) {
        request.clients = 2;
        request.rounds = 2;
      }
      const ExplorePlan plan(request, targets);
      const std::string command = plan.targets().front().commands.of(2);
      ASSERT_TRUE(command.starts_with("holdfast ")) << command;
      const Outcome outcome = holdfast(command.substr(std::string_view("holdfast ").size()));
      EXPECT_TRUE(outcome.code == 0 || outcome.code == 1) << command << "\n" << outcome.err;
      EXPECT_TRUE(contains(outcome.out, command + "\n")) << outcome.out;
    }
  }
}

TEST_F(CommandLine, TellsHowFastStrategiesFindMutants) {
  const Outcome bench = holdfast("bench explore --mutant 'mutant-rlock-c*' --strategy random --runs 100");
  EXPECT_EQ(bench.code, 0) << bench.err;
  for (const char* part :
       {"mutant-rlock-counter", "redisson-rlock held in 100 runs", "found of 1: random 1, any 1", "ratio"}) {
    EXPECT_TRUE(contains(bench.out, part)) << part << "\n" << bench.out;
  }
  expect_sentence(holdfast("bench explore --mutant nobody"), "there is no mutant");
  expect_sentence(holdfast("bench explore --strategy swarn"), R"(did you mean "swarm"?)");
}

}  // namespace
}  // namespace holdfast::cli
