// The door itself: formats are told apart, errors come back as values, and a long stream takes no memory.
#include "harness/history/read/read_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <memory>
#include <string>

#include "harness/history/read/test_history.h"

namespace holdfast {
namespace read_history_test {

using testing_history::Recorder;

const std::string example = std::string(HOLDFAST_SOURCE_DIR) + "/harness/history/example.jsonl";

TEST(ReadHistory, GuessesTheFormatByTheFirstBytes) {
  EXPECT_EQ(guess_format(R"({"time":0})", "x.edn"), HistoryFormat::jsonl);
  EXPECT_EQ(guess_format(" \n { \"time\":0}", "x"), HistoryFormat::jsonl);
  EXPECT_EQ(guess_format("{}", "x"), HistoryFormat::jsonl);
  EXPECT_EQ(guess_format("nonsense", "x"), HistoryFormat::jsonl);
  for (const char* text :
       {"{:type :ok}", "[{:type :ok}]", "({:type", "#jepsen.history.Op{", "; comment", "{ :f"}) {
    EXPECT_EQ(guess_format(text, "x.jsonl"), HistoryFormat::edn) << text;
  }
  EXPECT_EQ(guess_format("", "x.edn"), HistoryFormat::edn);
  EXPECT_EQ(guess_format("  ", "x.edn.gz"), HistoryFormat::edn);
  EXPECT_EQ(guess_format("", "x"), HistoryFormat::jsonl);
}

TEST(ReadHistory, ReadsAFile) {
  Recorder recorder;
  const HistoryResult result = read_history(example, HistoryFormat::automatic, {}, recorder);
  ASSERT_TRUE(std::holds_alternative<HistorySummary>(result));
  EXPECT_EQ(std::get<HistorySummary>(result).calls, recorder.calls.size());
}

TEST(ReadHistory, ReturnsOneSentenceWhenItCannot) {
  Recorder recorder;
  const auto problem = [&](const HistoryResult& result) { return std::get<std::string>(result); };
  EXPECT_EQ(problem(read_history("nowhere/at/all", HistoryFormat::automatic, {}, recorder)),
            "there is no file nowhere/at/all; check the path");
  EXPECT_THAT(problem(read_history(example, HistoryFormat::edn, {}, recorder)),
              testing::StartsWith(example + ":1"));
  Source array = Source::from_text("[\n {\"type\":\"ok\"}]", "h.json");
  EXPECT_EQ(problem(read_history(array, HistoryFormat::automatic, {}, recorder)),
            "h.json:1: expected one JSON object per line, not one array; \"jq -c '.[]'\" turns it into that");
}

// The same piece of history again and again.
class EndlessSource final : public ByteSource {
 public:
  EndlessSource(std::string opening, std::string piece, std::size_t pieces)
      : rest_(std::move(opening)), piece_(std::move(piece)), pieces_(pieces) {}

  std::size_t read(std::span<char> room) override {
    if (rest_.empty() && pieces_ > 0) {
      rest_ = piece_;
      --pieces_;
    }
    const std::size_t count = rest_.copy(room.data(), room.size());
    rest_.erase(0, count);
    return count;
  }

 private:
  std::string rest_;
  std::string piece_;
  std::size_t pieces_;
};

class MemoryWatch final : public HistoryConsumer {
 public:
  void on_call(const CallEvent& /*event*/) override {
    if (++calls % 10'000 == 0) {
      bytes_most = std::max(bytes_most, static_cast<std::size_t>(mallinfo2().uordblks + mallinfo2().hblkhd));
    }
  }
  std::uint64_t calls = 0;
  std::size_t bytes_most = 0;
};

// Under a sanitizer the allocator tells nothing, and this only shows that long streams are read to their end.
void expect_flat(const std::string& opening, const std::string& piece, HistoryFormat format) {
  constexpr std::size_t pieces = 100'000;
  const std::size_t bytes_before = mallinfo2().uordblks + mallinfo2().hblkhd;
  Source source = Source::from_bytes(std::make_unique<EndlessSource>(opening, piece, pieces), "endless");
  MemoryWatch watch;
  const HistoryResult result = read_history(source, format, {}, watch);
  EXPECT_TRUE(std::holds_alternative<HistorySummary>(result));
  EXPECT_EQ(watch.calls, pieces);
  EXPECT_LT(watch.bytes_most, bytes_before + 2'000'000);
}

TEST(ReadHistory, MemoryStaysFlatHoweverLongTheJsonLines) {
  expect_flat("",
              R"({"time":1,"type":"invoke","process":"c1","thread":1,"operation":"acquire","key":"lock"})"
              "\n",
              HistoryFormat::jsonl);
}

TEST(ReadHistory, MemoryStaysFlatHoweverLongOneLineOfEdn) {
  expect_flat("#_opening ", "{:type :invoke, :f :acquire, :value [1 nil], :process 1, :time 5} ",
              HistoryFormat::edn);
}

}  // namespace read_history_test
}  // namespace holdfast
