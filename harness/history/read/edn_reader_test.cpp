// Small Jepsen histories are read and what the consumer heard is compared; broken ones give one sentence.
#include "harness/history/read/edn_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "harness/fuzz/numbers.h"
#include "harness/history/read/history_error.h"
#include "harness/history/read/test_history.h"

namespace holdfast {
namespace edn_reader_test {

using testing::ElementsAre;
using testing_history::Recorder;

const char* const example = R"(;; a lock service under a partition
{:type :invoke, :f :acquire, :value nil, :process 0, :time 3291485317, :index 0}
{:type :ok, :f :acquire, :value 7, :process 0, :time 3291485999, :index 1}
{:process :nemesis, :type :info, :f :start-partition, :value [:isolated {"n1" #{"n2" "n3"}}], :time 1, :index 2}
{:process :nemesis, :type :info, :f :start-partition, :value :done, :time 2, :index 3}
{:type :invoke, :f :release, :value nil, :process 0, :index 4, :error [:timeout "é"]}
{:type :info, :f :release, :value nil, :process 0, :index 5, :exception #error{:cause "x" :trace [[a b 1.5M]]}}
)";

HistorySummary read(std::string_view text, HistoryConsumer& consumer, KeyMode mode = KeyMode::automatic) {
  Source source = Source::from_text(text, "h.edn");
  return read_edn(source, mode, consumer);
}

std::string problem_with(std::string_view text, KeyMode mode = KeyMode::automatic) {
  Recorder recorder;
  try {
    read(text, recorder, mode);
  } catch (const HistoryError& error) {
    return error.what();
  }
  return "";
}

// What one operation of process 5 becomes, and the name of its key.
std::string read_one(std::string_view type, std::string_view f, std::string_view value,
                     KeyMode mode = KeyMode::automatic) {
  Recorder recorder;
  const HistorySummary summary =
      read(fmt::format("{{:process 5 :type {} :f {} :value {}}}", type, f, value), recorder, mode);
  return recorder.calls.at(0) + " " + summary.key_names.at(0);
}

TEST(EdnReader, ReadsOneMapPerLine) {
  Recorder recorder;
  const HistorySummary summary = read(example, recorder);
  EXPECT_THAT(recorder.calls, ElementsAre("invoke acquire by 0 of 0", "ok acquire by 0 of 0 token 7",
                                          "invoke release by 0 of 0", "info release by 0 of 0"));
  EXPECT_THAT(recorder.faults,
              ElementsAre("begin nemesis start-partition [:isolated {\"n1\" #{\"n2\" \"n3\"}}]"));
  EXPECT_EQ(recorder.events[1].time, 3291485999);
  EXPECT_EQ(recorder.events[1].line, 3U);
  EXPECT_EQ(recorder.events[2].time, no_time);
  EXPECT_EQ(summary.lines, 7U);
  EXPECT_EQ(summary.calls, 4U);
  EXPECT_EQ(summary.faults, 1U);
  EXPECT_EQ(summary.format, HistoryFormat::edn);
  EXPECT_THAT(summary.client_names, ElementsAre("0"));
}

TEST(EdnReader, ReadsVectorsListsAndRecords) {
  Recorder expected;
  read(example, expected);
  for (const auto& [open, close] :
       {std::pair{"[", "]"}, {"(", ")"}, {"#jepsen.history.DenseHistory [", "]"}}) {
    Recorder recorder;
    read(open + std::string(example) + close, recorder);
    EXPECT_EQ(recorder.calls, expected.calls);
    EXPECT_EQ(recorder.faults, expected.faults);
  }
  Recorder recorder;
  read(R"([#jepsen.history.Op{:index 0, :time 5, :type :invoke, :process 3, :f :lock, :value nil}
           #jepsen.history.Op[1 6 :ok 3 :lock 9] #unknown{:type :ok}
           #knossos.op.Op {:process 3 :type :info :f :unlock}])",
       recorder);
  EXPECT_THAT(recorder.calls, ElementsAre("invoke acquire by 0 of 0", "ok acquire by 0 of 0 token 9",
                                          "info release by 0 of 0"));
  EXPECT_EQ(recorder.events[1].time, 6);
}

TEST(EdnReader, KnowsTheNamesOfOperations) {
  const auto heard = [](std::string_view f) {
    Recorder recorder;
    read(fmt::format("{{:process 0 :type :invoke :f {} :value nil}}", f), recorder);
    return recorder.calls.at(0);
  };
  for (const char* f : {":acquire", ":lock", ":acquire-lock", ":write-lock", "acquire", "\"lock\""}) {
    EXPECT_EQ(heard(f), "invoke acquire by 0 of 0") << f;
  }
  for (const char* f : {":acquire-shared", ":acquire-read", ":read-lock", ":lock_shared"}) {
    EXPECT_EQ(heard(f), "invoke acquire by 0 of 0 shared") << f;
  }
  for (const char* f : {":try-acquire", ":try-lock", ":tryLock"}) {
    EXPECT_EQ(heard(f), "invoke try-acquire by 0 of 0") << f;
  }
  for (const char* f : {":release", ":unlock", ":release-write"}) {
    EXPECT_EQ(heard(f), "invoke release by 0 of 0") << f;
  }
  EXPECT_EQ(heard(":try-read-lock"), "invoke try-acquire by 0 of 0 shared");
  EXPECT_EQ(heard(":release-shared"), "invoke release by 0 of 0 shared");
  EXPECT_EQ(heard(":r"), "invoke read by 0 of 0");
  EXPECT_EQ(heard(":w"), "invoke write by 0 of 0");
  EXPECT_EQ(heard(":inc"), "invoke add by 0 of 0 value 1");
  EXPECT_EQ(heard(":count-down"), "invoke count-down by 0 of 0");
  EXPECT_EQ(heard(":await"), "invoke await by 0 of 0");
}

TEST(EdnReader, TakesTheKeyBesideTheValueAndKeepsItUntilTheReturn) {
  Recorder recorder;
  read(R"({:process 0 :type :invoke :f :acquire :key :a}
          {:process 1 :type :invoke :f :acquire :value [:b nil]}
          {:process 0 :type :ok :f :acquire :value 7}
          {:process 1 :type :ok :f :acquire :value 8})",
       recorder);
  EXPECT_THAT(recorder.calls, ElementsAre("invoke acquire by 0 of 0", "invoke acquire by 1 of 1",
                                          "ok acquire by 0 of 0 token 7", "ok acquire by 1 of 1 token 8"));
}

// The name of a lock, or of who asks for it: nobody can know.
TEST(EdnReader, AsksWhatTheValuesOfLocksNameIfThereAreSeveral) {
  const std::string_view text = R"({:process 0 :type :invoke :f :acquire :value "a"}
{:process 1 :type :invoke :f :acquire :value 4}
{:process 1 :type :ok :f :acquire :value 4})";
  EXPECT_EQ(problem_with(text),
            "h.edn:2: expected one :value for all invocations of a lock (--pairs name: it names the lock; "
            "--pairs no: it does not), not 4");
  Recorder named;
  read(text, named, KeyMode::names);
  EXPECT_THAT(named.calls,
              ElementsAre("invoke acquire by 0 of 0", "invoke acquire by 1 of 1", "ok acquire by 1 of 1"));
  Recorder one;
  read(text, one, KeyMode::none);
  EXPECT_THAT(one.calls, ElementsAre("invoke acquire by 0 of 0", "invoke acquire by 1 of 0",
                                     "ok acquire by 1 of 0 token 4"));
}

TEST(EdnReader, UnderstandsValuesOfLocks) {
  EXPECT_EQ(read_one(":ok", ":acquire", "12"), "ok acquire by 0 of 0 token 12 lock");
  EXPECT_EQ(read_one(":invoke", ":acquire", "12"), "invoke acquire by 0 of 0 lock");
  EXPECT_EQ(read_one(":ok", ":acquire", "{:fence 3 :client \"n1\" :uid 4}"),
            "ok acquire by 0 of 0 token 3 lock");
  EXPECT_EQ(read_one(":ok", ":acquire", "#my.Grant{:token 3N :key :a}"), "ok acquire by 0 of 0 token 3 a");
  EXPECT_EQ(read_one(":ok", ":acquire", "[\"k\" 3]"), "ok acquire by 0 of 0 token 3 k");
  EXPECT_EQ(read_one(":ok", ":acquire", "[7 {:fence 3}]"), "ok acquire by 0 of 0 token 3 7");
  EXPECT_EQ(read_one(":ok", ":acquire", "false"), "fail acquire by 0 of 0 lock");
  EXPECT_EQ(read_one(":ok", ":try-acquire", "false"), "ok try-acquire by 0 of 0 refused lock");
  EXPECT_EQ(read_one(":ok", ":try-acquire", "[1 false]"), "ok try-acquire by 0 of 0 refused 1");
  EXPECT_EQ(read_one(":ok", ":try-acquire", "true"), "ok try-acquire by 0 of 0 lock");
  EXPECT_EQ(read_one(":fail", ":try-acquire", "nil"), "ok try-acquire by 0 of 0 refused lock");
  EXPECT_EQ(read_one(":fail", ":acquire", "nil"), "fail acquire by 0 of 0 lock");
  EXPECT_EQ(read_one(":ok", ":release", "[:k nil]"), "ok release by 0 of 0 k");
}

TEST(EdnReader, UnderstandsValuesOfRegisters) {
  EXPECT_EQ(read_one(":ok", ":read", "4"), "ok read by 0 of 0 value 4 resource");
  EXPECT_EQ(read_one(":ok", ":read", "nil"), "ok read by 0 of 0 resource");
  EXPECT_EQ(read_one(":invoke", ":read", "4"), "invoke read by 0 of 0 resource");
  EXPECT_EQ(read_one(":invoke", ":write", "{:value 4 :token 2}"),
            "invoke write by 0 of 0 token 2 value 4 resource");
  EXPECT_EQ(read_one(":invoke", ":cas", "[1 2]"), "invoke cas by 0 of 0 expected 1 value 2 resource");
  EXPECT_EQ(read_one(":invoke", ":cas", "[nil 2]"), "invoke cas by 0 of 0 value 2 resource");
  EXPECT_EQ(read_one(":invoke", ":cas", "[9 [1 2]]"), "invoke cas by 0 of 0 expected 1 value 2 9");
  EXPECT_EQ(read_one(":fail", ":cas", "nil"), "fail cas by 0 of 0 resource");
  EXPECT_EQ(read_one(":invoke", ":add", "5"), "invoke add by 0 of 0 value 5 resource");
}

TEST(EdnReader, KeysArePairsWhereTheModeSaysSo) {
  EXPECT_EQ(read_one(":ok", ":read", "[3 4]"), "ok read by 0 of 0 value 4 3");
  EXPECT_EQ(read_one(":ok", ":read", "#jepsen.independent.Tuple [3 4]"), "ok read by 0 of 0 value 4 3");
  EXPECT_EQ(read_one(":ok", ":read", "[3 4]", KeyMode::pairs), "ok read by 0 of 0 value 4 3");
  EXPECT_EQ(read_one(":ok", ":read", "[3 4]", KeyMode::none),
            fmt::format("ok read by 0 of 0 value {} resource", first_named_value));
  EXPECT_EQ(problem_with("{:process 1 :type :ok :f :read :value 3}", KeyMode::pairs),
            "h.edn:1: expected [key value] as the :value, not 3");
}

TEST(EdnReader, ValuesThatAreNoNumbersGetNumbersOfTheirOwn) {
  Recorder recorder;
  const HistorySummary summary = read(R"({:process :a :type :ok :f :read :value "x"}
{:process "b" :type :ok :f :read :value :x} {:process :a :type :ok :f :read :value "x"}
{:process 1 :type :ok :f :read :value #{1 2}} {:process 2 :type :ok :f :read :value #{2 1}})",
                                      recorder);
  EXPECT_THAT(summary.value_names, ElementsAre("\"x\"", ":x", "#{1 2}"));
  EXPECT_EQ(recorder.events[0].value, first_named_value);
  EXPECT_EQ(recorder.events[1].value, first_named_value + 1);
  EXPECT_EQ(recorder.events[2].value, first_named_value);
  EXPECT_EQ(recorder.events[4].value, recorder.events[3].value);
  EXPECT_THAT(summary.client_names, ElementsAre("a", "b", "1", "2"));
}

TEST(EdnReader, FaultsOfTheNemesisBeginAndEnd) {
  const auto faults = [](std::initializer_list<const char*> actions) {
    std::string text;
    for (const char* action : actions) {
      text += fmt::format("{{:process :nemesis :type :info :f :{} :value nil}}\n", action);
    }
    Recorder recorder;
    read(text, recorder);
    return recorder.faults;
  };
  EXPECT_THAT(faults({"start", "start", "stop", "stop"}),
              ElementsAre("begin nemesis start", "end nemesis stop"));
  EXPECT_THAT(faults({"kill", "kill", "start", "start", "start", "start"}),
              ElementsAre("begin nemesis kill", "end nemesis start", "begin nemesis start"));
  EXPECT_THAT(faults({"bump-clock", "bump-clock"}),
              ElementsAre("begin nemesis bump-clock", "end nemesis bump-clock"));
}

TEST(EdnReader, SaysInOneSentenceWhatIsWrongAndWhere) {
  const std::vector<std::pair<const char*, const char*>> mistakes = {
      {"42", "h.edn:1:1: expected an operation: a map with :process, :type, :f and :value"},
      {"[1]", "h.edn:1:2: expected an operation: a map with :process, :type, :f and :value"},
      {"\n{:type :ok}",
       "h.edn:2: expected :acquire, :try-acquire, :release, :read, :write, :cas, :add, or another name of "
       "these, as the :f, not nil"},
      {"{:f :lock}", "h.edn:1: expected :invoke, :ok, :fail or :info as the :type, not nil"},
      {"{:type :okay :f :lock :process 1}",
       "h.edn:1: expected :invoke, :ok, :fail or :info as the :type, not :okay"},
      {"{:type :ok :f :lock}", "h.edn:1: expected a number or a name as the :process, not nil"},
      {"{:type :invoke :f :cas :process 1 :value 5}",
       "h.edn:1: expected [old new] as the :value of a cas, not 5"},
      {"{:type :ok :f :add :process 1 :value :x}",
       "h.edn:1: expected a whole number as the :value of an add, not :x"},
      {"{:type :ok :f :lock :process 1 :index 4}\n{:type :ok :f :lock :process 1 :index 3}",
       "h.edn:2: expected an :index above 4, not 3; sort the operations by :index"},
      {"{:type :ok :f}", "h.edn:1:14: expected a value for the last key of the map"},
      {"{:type :ok",
       "h.edn:1:11: expected a key or }, but the file ends here; it was cut, so make or copy it again"},
      {"[{:type :ok :f :lock :process 1}",
       "h.edn:1:33: expected an operation: a map with :process, :type, :f and :value, but the file ends "
       "here; it "
       "was cut, so make or copy it again"},
      {"#jepsen.history.Op[1 2 :ok 3 :lock nil 7]",
       "h.edn:1:40: expected ] behind the six parts of the record"},
  };
  for (const auto& [text, sentence] : mistakes) {
    EXPECT_EQ(problem_with(text), sentence) << text;
  }
}

TEST(EdnReader, EveryPrefixIsReadOrRefusedInOneSentence) {
  const std::string text = "[" + std::string(example) + "]";
  for (std::size_t size = 1; size < text.size(); ++size) {
    const std::string problem = problem_with(text.substr(0, size));
    EXPECT_THAT(problem, testing::StartsWith("h.edn:")) << size;
    EXPECT_EQ(problem.find('\n'), std::string::npos);
  }
}

TEST(EdnReader, FlippedBytesNeverCrashIt) {
  const std::string text = example;
  fuzz::Numbers numbers(3);
  for (int round = 0; round < 1500; ++round) {
    std::string damaged = text;
    for (std::size_t flips = numbers.below(4) + 1; flips > 0; --flips) {
      damaged[numbers.below(damaged.size())] = static_cast<char>(numbers.below(256));
    }
    const std::string problem = problem_with(damaged);
    EXPECT_TRUE(problem.empty() || problem.starts_with("h.edn:")) << problem;
  }
}

}  // namespace edn_reader_test
}  // namespace holdfast
