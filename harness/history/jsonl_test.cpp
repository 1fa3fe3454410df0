// The written form of a history, to the byte, and what becomes of a file that cannot be written.
#include "harness/history/jsonl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/kernel/test_kernel.h"

namespace holdfast {
namespace {

using namespace std::string_literals;

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class JsonLines : public ::testing::Test {
 protected:
  void SetUp() override {
    directory = ::testing::TempDir() + "holdfast_jsonl_" +
                ::testing::UnitTest::GetInstance()->current_test_info()->name() + std::to_string(::getpid());
    std::filesystem::create_directories(directory);
    path = directory + "/run.jsonl";
    history.reset(world.kernel, true);
  }
  void TearDown() override { std::filesystem::remove_all(directory); }

  // A small history with one event of each kind that looks different.
  void tell() {
    const auto at = [&](Duration time, const Event& event, const std::string& text = {}) {
      world.at(time, [this, event, text] { history.record(event, text); });
    };
    Event event;
    event.process = world.a;
    event.thread = 1;
    event.session = 1;
    event.operation = Operation::acquire;
    at(0ms, event);
    event.type = EventType::ok;
    event.token = 33;
    at(1ms, event);
    Event applied;
    applied.type = EventType::applied;
    applied.process = world.a;
    applied.thread = 1;
    applied.server = world.b;
    at(2ms, applied, "SET lock \"a\" → OK");
    Event stored = event;
    stored.type = EventType::stored;
    stored.operation = Operation::write;
    stored.server = world.b;
    stored.value = 7;
    stored.version = 2;
    stored.found_version = 3;
    at(3ms, stored);
    Event shared;
    shared.operation = Operation::release;
    shared.mode = Mode::shared;
    shared.process = world.b;
    shared.thread = 2;
    shared.session = 2;
    at(4ms, shared);
    Event died;
    died.type = EventType::died;
    died.process = world.a;
    at(5ms, died);
    world.kernel.jump_clock(world.a, ClockKind::wall, -1s);
    world.kernel.hold_open();
    world.run({.true_time = 1s});
  }
  std::string lines() const {
    std::string text;
    for (const Event& event : history.events()) {
      text += to_json_line(event, history) + "\n";
    }
    return text;
  }
  std::string content() const {
    const std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      names.push_back(entry.path().filename());
    }
    return names;
  }
  template <typename Action>
  static std::string sentence_of(Action action) {
    try {
      action();
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "(no error)";
  }

  std::string directory;
  std::string path;
  TestKernel world;
  History history;
};

TEST_F(JsonLines, ASmallHistoryToTheByte) {
  tell();
  EXPECT_EQ(
      lines(),
      R"({"time":0,"type":"invoke","process":"a","thread":1,"operation":"acquire","key":"lock","session":1,"wall":1767225599000000000,"monotonic":3600000000000}
{"time":1000000,"type":"ok","process":"a","thread":1,"operation":"acquire","key":"lock","session":1,"token":33,"wall":1767225599001000000,"monotonic":3600001000000}
{"time":2000000,"type":"applied","process":"a","thread":1,"server":"b","wall":1767225599002000000,"monotonic":3600002000000,"text":"SET lock \"a\" → OK"}
{"time":3000000,"type":"stored","process":"a","thread":1,"operation":"write","server":"b","session":1,"token":33,"value":7,"version":2,"found_version":3,"wall":1767225599003000000,"monotonic":3600003000000}
{"time":4000000,"type":"invoke","process":"b","thread":2,"operation":"release","key":"lock","mode":"shared","session":2,"wall":1767225600004000000,"monotonic":3600004000000}
{"time":5000000,"type":"died","process":"a","wall":1767225599005000000,"monotonic":3600005000000}
)");
}

TEST_F(JsonLines, TheSameStoryTwiceGivesTheSameBytes) {
  tell();
  const std::string first = lines();
  world.reset();
  history.reset(world.kernel, true);
  tell();
  EXPECT_EQ(lines(), first);
}

TEST_F(JsonLines, OddBytesAreEscapedOrReplacedAndEveryLineIsOneJsonObject) {
  const std::string odd = "quote\" back\\ line\n tab\t zero\0 bell\a \xff\xfe ü"s;
  EXPECT_EQ(nlohmann::json::parse(json_string("a\nb\"c\\d")), "a\nb\"c\\d");
  EXPECT_EQ(json_string("\xff"), "\"\xef\xbf\xbd\"");
  Event event;
  event.process = world.a;
  history.record(event, odd);
  const std::string line = to_json_line(history.events().back(), history);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const nlohmann::json read = nlohmann::json::parse(line);
  EXPECT_THAT(read.at("text").get<std::string>(),
              AllOf(HasSubstr("quote\" back\\ line\n"), HasSubstr("\xef\xbf\xbd")));
}

TEST_F(JsonLines, TheWriterWritesHeaderEventsAndEndUnderTheFinalNameOnly) {
  {
    JsonLinesWriter writer(path, R"({"format":"holdfast-history"})");
    history.add_sink(writer);
    tell();
    EXPECT_FALSE(std::filesystem::exists(path));
    writer.finish(R"({"type":"end"})");
  }
  EXPECT_EQ(content(), "{\"format\":\"holdfast-history\"}\n" + lines() + "{\"type\":\"end\"}\n");
  EXPECT_THAT(files(), ::testing::ElementsAre("run.jsonl"));
}

TEST_F(JsonLines, AWriterThatIsNotFinishedLeavesNothing) {
  {
    const JsonLinesWriter writer(path, "{}");
  }
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(JsonLines, APlaceThatCannotBeWrittenIsOneSentence) {
  const std::string nowhere = directory + "/missing/run.jsonl";
  const std::string sentence = sentence_of([&] { const JsonLinesWriter writer(nowhere, "{}"); });
  EXPECT_EQ(sentence, "cannot write the history to " + nowhere +
                          ": No such file or directory; choose a place that can be written to");
}

TEST_F(JsonLines, ADirectoryIsRefusedBeforeTheRun) {
  const std::string sentence = sentence_of([&] { const JsonLinesWriter writer(directory, "{}"); });
  EXPECT_THAT(sentence, HasSubstr("Is a directory"));
}

// The devices are reached through links, so that a mistake replaces no more than a link.
TEST_F(JsonLines, AFullDeviceIsOneSentenceAndStaysWhereItIs) {
  std::filesystem::create_symlink("/dev/full", path);
  const std::string sentence = sentence_of([&] {
    JsonLinesWriter writer(path, "{}");
    writer.finish("{}");
  });
  EXPECT_EQ(sentence, "cannot write the history to " + path +
                          ": No space left on device; make room or choose another place");
  EXPECT_TRUE(std::filesystem::is_symlink(path));
  EXPECT_THAT(files(), ::testing::ElementsAre("run.jsonl"));
}

TEST_F(JsonLines, ADeviceIsWrittenToAsItStands) {
  std::filesystem::create_symlink("/dev/null", path);
  {
    JsonLinesWriter writer(path, "{}");
    writer.finish("{}");
  }
  EXPECT_TRUE(std::filesystem::is_symlink(path));
}

TEST_F(JsonLines, ADiskThatFillsUpOnTheWayLeavesNoPartialFile) {
  // A limit on the size of files is what a test can have of a full disk.
  struct rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small{4096, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string sentence = sentence_of([&] {
    JsonLinesWriter writer(path, std::string(100'000, ' '));
    history.add_sink(writer);
    tell();
    writer.finish("{}");
  });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(sentence,
            "cannot write the history to " + path + ": File too large; make room or choose another place");
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(JsonLines, AnOldHistoryStaysUntilTheNewOneIsWhole) {
  std::ofstream(path) << "old";
  {
    const JsonLinesWriter writer(path, "{}");
    EXPECT_EQ(content(), "old");
  }
  EXPECT_EQ(content(), "old");
  JsonLinesWriter writer(path, "{}");
  writer.finish("{}");
  EXPECT_EQ(content(), "{}\n{}\n");
}

}  // namespace
}  // namespace holdfast
