// Small histories are read and what the consumer heard is compared; broken ones must give one sentence.
#include "harness/history/read/jsonl_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "harness/fuzz/numbers.h"
#include "harness/history/read/history_error.h"
#include "harness/history/read/test_history.h"

namespace holdfast {
namespace jsonl_reader_test {

using testing::ElementsAre;
using testing_history::file_content;
using testing_history::Recorder;

const std::string example = std::string(HOLDFAST_SOURCE_DIR) + "/harness/history/example.jsonl";

HistorySummary read(std::string_view text, HistoryConsumer& consumer) {
  Source source = Source::from_text(text, "h.jsonl");
  return read_jsonl(source, consumer);
}

std::vector<std::string> calls_in(std::string_view text) {
  Recorder recorder;
  read(text, recorder);
  return recorder.calls;
}

std::string problem_with(std::string_view text) {
  Recorder recorder;
  try {
    read(text, recorder);
  } catch (const HistoryError& error) {
    return error.what();
  }
  return "";
}

TEST(JsonlReader, ReadsTheExample) {
  Source source = Source::open(example);
  Recorder recorder;
  const HistorySummary summary = read_jsonl(source, recorder);
  EXPECT_EQ(summary.lines, 31U);
  EXPECT_EQ(summary.calls, 25U);
  EXPECT_TRUE(summary.has_end);
  EXPECT_THAT(summary.header, testing::HasSubstr("redisson-fenced"));
  EXPECT_THAT(summary.client_names, ElementsAre("c1", "c2"));
  EXPECT_THAT(summary.key_names, ElementsAre("lock", "resource"));
  ASSERT_EQ(recorder.calls.size(), 25U);
  EXPECT_EQ(recorder.calls[0], "invoke acquire by 0 of 0");
  EXPECT_EQ(recorder.calls[1], "asked 0");
  EXPECT_EQ(recorder.calls[2], "ok acquire by 0 of 0 token 1");
  EXPECT_EQ(recorder.calls[3], "invoke read by 0 of 1");
  EXPECT_EQ(recorder.calls[4], "ok read by 0 of 1 token 1 value 0");
  EXPECT_EQ(recorder.events[2].time, 525000);
  EXPECT_EQ(recorder.events[2].line, 4U);
  EXPECT_THAT(recorder.faults, ElementsAre("begin c1 pauses for 45 s", testing::StartsWith("end c1")));
}

TEST(JsonlReader, KnowsEveryOperation) {
  const auto read_one = [](std::string_view fields) {
    return calls_in(fmt::format(R"({{"type":"ok","process":"a",{}}})", fields)).at(0);
  };
  EXPECT_EQ(read_one(R"("operation":"acquire","mode":"shared","token":5)"),
            "ok acquire by 0 of 0 shared token 5");
  EXPECT_EQ(read_one(R"("operation":"try-acquire","mode":"exclusive")"), "ok try-acquire by 0 of 0");
  EXPECT_EQ(read_one(R"("operation":"release")"), "ok release by 0 of 0");
  EXPECT_EQ(read_one(R"("operation":"read","value":null)"), "ok read by 0 of 0");
  EXPECT_EQ(read_one(R"("operation":"read","value":3,"token":2)"), "ok read by 0 of 0 token 2 value 3");
  EXPECT_EQ(read_one(R"("operation":"write","value":-3)"), "ok write by 0 of 0 value -3");
  EXPECT_EQ(read_one(R"("operation":"cas","expected":1,"value":2)"), "ok cas by 0 of 0 expected 1 value 2");
  EXPECT_EQ(read_one(R"("operation":"add","value":1)"), "ok add by 0 of 0 value 1");
  EXPECT_EQ(read_one(R"("operation":"count-down")"), "ok count-down by 0 of 0");
  EXPECT_EQ(read_one(R"("operation":"await")"), "ok await by 0 of 0");
}

TEST(JsonlReader, RefusedIsAnAnswerAndFailIsNone) {
  const auto read_one = [](std::string_view type, std::string_view operation, std::string_view more) {
    return calls_in(fmt::format(R"({{"type":"{}","process":"a","operation":"{}"{}}})", type, operation, more))
        .at(0);
  };
  EXPECT_EQ(read_one("fail", "try-acquire", ""), "ok try-acquire by 0 of 0 refused");
  EXPECT_EQ(read_one("fail", "try-acquire", R"(,"refused":false)"), "fail try-acquire by 0 of 0");
  EXPECT_EQ(read_one("ok", "try-acquire", R"(,"refused":true)"), "ok try-acquire by 0 of 0 refused");
  EXPECT_EQ(read_one("fail", "cas", ""), "fail cas by 0 of 0");
  EXPECT_EQ(read_one("fail", "cas", R"(,"refused":true)"), "ok cas by 0 of 0 refused");
  EXPECT_EQ(read_one("fail", "acquire", ""), "fail acquire by 0 of 0");
  EXPECT_EQ(read_one("info", "acquire", ""), "info acquire by 0 of 0");
}

TEST(JsonlReader, UsualKeysDependOnTheOperation) {
  Recorder recorder;
  const HistorySummary summary = read(R"({"type":"invoke","process":"a","operation":"await"}
{"type":"invoke","process":"b","operation":"add","value":1}
{"type":"invoke","process":"c","operation":"release"}
{"type":"invoke","process":"d","operation":"acquire","key":"other"}
{"type":"invoke","process":"d","operation":"acquire","key":7}
)",
                                      recorder);
  EXPECT_THAT(summary.key_names, ElementsAre("latch", "resource", "lock", "other", "7"));
}

TEST(JsonlReader, AClientIsAThreadOfAProcess) {
  Recorder recorder;
  const HistorySummary summary = read(R"({"type":"invoke","process":"a","thread":1,"operation":"acquire"}
{"type":"invoke","process":"a","thread":2,"operation":"acquire"}
{"type":"invoke","process":"b","thread":1,"operation":"acquire"}
{"type":"invoke","process":3,"operation":"acquire"}
{"type":"ok","process":"a","thread":2,"operation":"acquire"}
)",
                                      recorder);
  EXPECT_THAT(summary.client_names, ElementsAre("a:1", "a:2", "b", "3"));
  EXPECT_EQ(recorder.events[4].client, 1U);
  EXPECT_EQ(recorder.events[0].time, no_time);
}

TEST(JsonlReader, DeathEndsEveryClientOfAProcessOrOneThread) {
  Recorder recorder;
  read(R"({"type":"invoke","process":"a","thread":1,"operation":"acquire","key":"k"}
{"type":"invoke","process":"b","thread":1,"operation":"acquire","key":"l"}
{"type":"invoke","process":"a","thread":2,"operation":"acquire","key":"m"}
{"type":"lost-hold","process":"b","thread":1}
{"type":"died","process":"a","thread":2}
{"type":"died","process":"a","text":"crashes"}
{"type":"restarted","process":"a"}
)",
       recorder);
  recorder.calls.erase(recorder.calls.begin(), recorder.calls.begin() + 3);
  EXPECT_THAT(recorder.calls, ElementsAre("ended 1", "ended 2", "ended 0", "ended 2"));
  EXPECT_EQ(recorder.events[3].key, 1U);
  EXPECT_EQ(recorder.events[6].key, 2U);
  EXPECT_THAT(recorder.faults, ElementsAre("died a ", "died a crashes", "restarted a "));
}

TEST(JsonlReader, WhoComesBackFromDeathIsAnotherClientOfTheSameName) {
  Recorder recorder;
  const HistorySummary summary = read(R"({"type":"invoke","process":"a","operation":"acquire"}
{"type":"died","process":"a"}
{"type":"restarted","process":"a"}
{"type":"invoke","process":"a","operation":"acquire"}
{"type":"lost-hold","process":"a"}
{"type":"ok","process":"a","operation":"acquire"}
)",
                                      recorder);
  EXPECT_THAT(recorder.calls, ElementsAre("invoke acquire by 0 of 0", "ended 0", "invoke acquire by 1 of 0",
                                          "ended 1", "ok acquire by 1 of 0"));
  EXPECT_THAT(summary.client_names, ElementsAre("a", "a"));
}

TEST(JsonlReader, WhatAServerCarriedOutShowsThatAClientIsAwake) {
  Recorder recorder;
  const HistorySummary summary = read(R"({"type":"applied","process":"a","server":"s","text":"GET x"}
{"type":"invoke","process":"a","operation":"acquire"}
{"type":"applied","process":"a","server":"s","text":"SET x"}
{"type":"applied","process":"b","server":"s","text":"SET x"}
{"type":"died","process":"a"}
{"type":"applied","process":"a","server":"s","text":"SET x"}
)",
                                      recorder);
  EXPECT_THAT(recorder.calls, ElementsAre("invoke acquire by 0 of 0", "asked 0", "ended 0"));
  EXPECT_THAT(summary.client_names, ElementsAre("a"));
  EXPECT_EQ(summary.calls, 3U);
}

TEST(JsonlReader, TakesFieldsInAnyOrderBlanksEscapesAndUnknownFields) {
  EXPECT_THAT(calls_in("\xef\xbb\xbf  { \"unknown\" : { \"a\" : [ 1 , { } ] , \"type\" : \"x\" } ,\t"
                       "\"\\u0074ype\" : \"\\u006fk\" , \"operation\":\"ac\\u0071uire\",\"process\":\"\\\"\","
                       "\"token\":3 } \r\n\r\n  \n"),
              ElementsAre("ok acquire by 0 of 0 token 3"));
}

TEST(JsonlReader, NamesAreSafeToPrint) {
  Recorder recorder;
  const HistorySummary summary =
      read(R"({"type":"invoke","process":"a\u001b[31m","operation":"acquire","key":"k\n"}
{"type":"fault-begin","process":"a\u001b[31m","text":"x\u0007"})",
           recorder);
  EXPECT_THAT(summary.client_names, ElementsAre("a\xef\xbf\xbd[31m"));
  EXPECT_THAT(summary.key_names, ElementsAre("k\xef\xbf\xbd"));
  EXPECT_THAT(recorder.faults, ElementsAre("begin a\xef\xbf\xbd[31m x\xef\xbf\xbd"));
}

TEST(JsonlReader, TakesTheLastLineWithAndWithoutItsType) {
  for (const char* line : {R"({"type":"end","end":"finished"})", R"({"end":"finished","time":5})"}) {
    Recorder recorder;
    EXPECT_TRUE(read(line, recorder).has_end);
  }
  Recorder recorder;
  EXPECT_FALSE(read("", recorder).has_end);
}

struct Mistake {
  const char* text;
  const char* sentence;
};

TEST(JsonlReader, SaysInOneSentenceWhatIsWrongAndWhere) {
  const std::string header = R"({"format":"holdfast-history","version":1})";
  const std::vector<Mistake> mistakes = {
      {"[]", "h.jsonl:1:1: expected {, because every line is a JSON object"},
      {"\n{]", "h.jsonl:2:2: expected a text in quotes"},
      {R"({"a" 1})", "h.jsonl:1:6: expected a colon behind a field's name"},
      {R"({"a":1 "b":2})", "h.jsonl:1:8: expected a comma or }"},
      {R"({"a":tru})", "h.jsonl:1:9: expected a value"},
      {R"({"a":[1,]})", "h.jsonl:1:9: expected a value"},
      {R"({"a":[1 2]})", "h.jsonl:1:9: expected a comma or ]"},
      {R"({"a":1} x)", "h.jsonl:1:9: expected the end of the line behind the object"},
      {R"({"a":01})", "h.jsonl:1:6: expected a number without zeros in front"},
      {R"({"a":"\x"})", "h.jsonl:1:8: expected one of \" \\ / b f n r t u behind a backslash"},
      {R"({"a":"\u12x4"})", "h.jsonl:1:11: expected four hexadecimal digits"},
      {R"({"a":"\ud800"})", "h.jsonl:1:13: expected the second half of a surrogate pair"},
      {"{\"a\":\"\xff\"}", "h.jsonl:1:7: expected UTF-8"},
      {"{\"a\":\"\t\"}",
       "h.jsonl:1:7: expected no control character in a text: write it as \\u and four digits"},
      {R"({"a":1})",
       "h.jsonl:1: expected a \"type\": invoke, ok, fail, info or one that the format's description lists"},
      {R"({"type":"okay"})",
       "h.jsonl:1:9: there is no type \"okay\"; expected invoke, ok, fail, info or one that the format's "
       "description lists"},
      {R"({"type":"ok","process":"a"})",
       "h.jsonl:1: expected an \"operation\": acquire, try-acquire, release, read, write, cas, add, "
       "count-down "
       "or await"},
      {R"({"type":"ok","operation":"acquire"})",
       "h.jsonl:1: expected a \"process\": who does this, or whom it is done to"},
      {R"({"type":"ok","operation":"lock"})",
       "h.jsonl:1:26: there is no operation \"lock\"; expected acquire, try-acquire, release, read, write, "
       "cas, "
       "add, count-down or await"},
      {R"({"mode":"x"})", "h.jsonl:1:9: there is no mode \"x\"; expected shared or exclusive"},
      {R"({"time":1.5})", "h.jsonl:1:9: expected a whole number of at most 64 bits"},
      {R"({"token":"7"})", "h.jsonl:1:10: expected a whole number of at most 64 bits"},
      {R"({"thread":-1})", "h.jsonl:1:11: expected a thread's number of at most 32 bits"},
      {R"({"refused":1})", "h.jsonl:1:12: expected true or false"},
      {R"({"type":"invoke","process":"a","operation":"acquire","refused":true})",
       "h.jsonl:1: expected \"refused\" only with ok or fail: nobody was refused before there is an answer"},
      {R"({"format":"other","version":1})",
       "h.jsonl:1: the format is \"other\"; expected \"holdfast-history\""},
      {R"({"format":"holdfast-history"})",
       "h.jsonl:1: expected a \"version\" beside the \"format\"; this holdfast reads version 1"},
      {R"({"format":"holdfast-history","version":2})",
       "h.jsonl:1: the format's version is 2; this holdfast reads version 1, so use a newer one"},
      {R"({"type":"ok","process)",
       "h.jsonl:1:22: expected the quote that ends a text, but the file ends here; it was cut, so make or "
       "copy "
       "it again"},
  };
  for (const Mistake& mistake : mistakes) {
    EXPECT_EQ(problem_with(mistake.text), mistake.sentence) << mistake.text;
  }
  EXPECT_EQ(problem_with(header + "\n" + header),
            "h.jsonl:2: expected a line with \"format\" only at the top; give one history at a time");
  EXPECT_EQ(problem_with("{\"type\":\"end\"}\n{\"type\":\"end\"}"),
            "h.jsonl:2: expected nothing behind the line that ends the history; give one history at a time");
}

TEST(JsonlReader, EveryPrefixIsReadOrRefusedInOneSentence) {
  const std::string text = file_content(example).substr(0, 2500);
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::string problem = problem_with(std::string_view(text).substr(0, size));
    const bool between_lines = size == 0 || text[size - 1] == '\n' || text[size] == '\n';
    EXPECT_EQ(problem.empty(), between_lines) << size << problem;
    EXPECT_EQ(problem.find('\n'), std::string::npos);
  }
}

TEST(JsonlReader, FlippedBytesNeverCrashIt) {
  const std::string text = file_content(example);
  fuzz::Numbers numbers(7);
  for (int round = 0; round < 1500; ++round) {
    std::string damaged = text;
    for (std::size_t flips = numbers.below(4) + 1; flips > 0; --flips) {
      damaged[numbers.below(damaged.size())] = static_cast<char>(numbers.below(256));
    }
    const std::string problem = problem_with(damaged);
    EXPECT_TRUE(problem.empty() || problem.starts_with("h.jsonl:")) << problem;
  }
}

TEST(JsonlReader, ManyClientsAndKeysKeepTheirNumbers) {
  std::string text;
  for (int round = 0; round < 2; ++round) {
    for (int number = 0; number < 5000; ++number) {
      text += fmt::format(
          R"({{"type":"invoke","process":"process {0}","thread":{1},"operation":"acquire","key":"key {0}"}})"
          "\n",
          number, number % 3);
    }
  }
  Recorder recorder;
  const HistorySummary summary = read(text, recorder);
  ASSERT_EQ(summary.client_names.size(), 5000U);
  EXPECT_EQ(summary.key_names.at(4321), "key 4321");
  EXPECT_EQ(summary.client_names.at(4321), "process 4321");
  EXPECT_EQ(recorder.events.at(9321).client, 4321U);
  EXPECT_EQ(recorder.events.at(9321).key, 4321U);
}

}  // namespace jsonl_reader_test
}  // namespace holdfast
