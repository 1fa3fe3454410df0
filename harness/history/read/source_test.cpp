// Files of every kind are written to a temporary directory and read back; gzip is made with zlib, then cut
// and damaged.
#include "harness/history/read/source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <string>
#include <vector>

#include "harness/history/read/history_error.h"
#include "harness/history/read/line_reader.h"
#include "harness/history/read/test_history.h"

namespace holdfast {
namespace source_test {

using testing_history::write_file;

class SourceTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return directory_ + "/" + name; }
  void SetUp() override { std::filesystem::create_directories(directory_); }
  void TearDown() override { std::filesystem::remove_all(directory_); }

 private:
  std::string directory_ =
      testing::TempDir() + "holdfast_source_" + testing::UnitTest::GetInstance()->current_test_info()->name();
};

std::string packed(const std::string& text, int level = 1) {
  z_stream stream{};
  deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string result(deflateBound(&stream, text.size()) + 64, '\0');
  std::string input = text;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

std::string read_all(Source source) {
  std::string result;
  std::vector<char> room(1000);
  while (const std::size_t count = source.read(room)) {
    result.append(room.data(), count);
  }
  return result;
}

std::string problem_with(const std::string& path) {
  try {
    read_all(Source::open(path));
  } catch (const HistoryError& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> lines_of(std::string_view text) {
  Source source = Source::from_text(text, "text");
  LineReader lines(source);
  std::vector<std::string> result;
  std::string_view line;
  while (lines.next(line)) {
    EXPECT_EQ(line.data()[line.size()], '\n');
    result.emplace_back(line);
    EXPECT_EQ(lines.line_number(), result.size());
  }
  return result;
}

std::string long_text() {
  std::string text;
  for (int line = 0; line < 20000; ++line) {
    text += fmt::format("line {} of a file that is longer than a block\n", line);
  }
  return text;
}

TEST_F(SourceTest, ReadsAFileAsItIs) {
  write_file(path("plain"), long_text());
  EXPECT_EQ(read_all(Source::open(path("plain"))), long_text());
}

TEST_F(SourceTest, UnpacksGzipWhateverTheFileIsCalled) {
  write_file(path("packed.jsonl"), packed(long_text()));
  EXPECT_EQ(read_all(Source::open(path("packed.jsonl"))), long_text());
}

TEST_F(SourceTest, TakesPlainBytesInAFileCalledGz) {
  write_file(path("plain.gz"), "not packed");
  EXPECT_EQ(read_all(Source::open(path("plain.gz"))), "not packed");
}

TEST_F(SourceTest, UnpacksJoinedGzipFilesAndIgnoresPadding) {
  write_file(path("joined"), packed("one ") + packed("") + packed("two") + std::string(300, '\0'));
  EXPECT_EQ(read_all(Source::open(path("joined"))), "one two");
}

TEST_F(SourceTest, ShowsTheBeginningWithoutLosingIt) {
  Source source = Source::from_text("abc", "text");
  EXPECT_EQ(source.beginning(), "abc");
  EXPECT_EQ(read_all(std::move(source)), "abc");
}

TEST_F(SourceTest, SaysInOneSentenceWhatCannotBeRead) {
  const std::string good = packed(long_text());
  std::string damaged = good;
  damaged[damaged.size() / 2] = static_cast<char>(~damaged[damaged.size() / 2]);
  std::string wrong_checksum = good;
  wrong_checksum[good.size() - 6] = static_cast<char>(~wrong_checksum[good.size() - 6]);
  write_file(path("cut"), good.substr(0, good.size() - 100));
  write_file(path("damaged"), damaged);
  write_file(path("checksum"), wrong_checksum);
  write_file(path("followed"), good + "something else");

  EXPECT_EQ(problem_with(path("nowhere")), "there is no file " + path("nowhere") + "; check the path");
  EXPECT_EQ(problem_with(path("")), path("") + " is a directory; name a history file in it");
  EXPECT_EQ(problem_with(path("cut")),
            path("cut") + ": the gzip data ends in the middle; the file was cut, so make or copy it again");
  for (const char* name : {"damaged", "checksum", "followed"}) {
    EXPECT_THAT(problem_with(path(name)), testing::StartsWith(path(name) + ": the gzip data is damaged"));
  }
}

TEST_F(SourceTest, WhatUnpacksToFarMoreThanItIsIsRefused) {
  std::string lines;
  lines.resize(11'000'000, '\n');
  std::string bomb;
  for (int part = 0; part < 10; ++part) {
    bomb += packed(lines, 9);
  }
  write_file(path("bomb"), bomb);
  EXPECT_EQ(
      problem_with(path("bomb")),
      path("bomb") + ": it unpacks to more than 500 times its size; unpack it yourself if that is meant");
}

TEST_F(SourceTest, EveryCutOfAGzipFileIsReadOrRefused) {
  const std::string good = packed("a few words that are packed");
  for (std::size_t size = 2; size < good.size(); ++size) {
    write_file(path("cut"), good.substr(0, size));
    EXPECT_THAT(problem_with(path("cut")), testing::HasSubstr("ends in the middle")) << size;
  }
}

TEST(LineReaderTest, FindsLinesWithAndWithoutALastNewline) {
  EXPECT_THAT(lines_of(""), testing::IsEmpty());
  EXPECT_THAT(lines_of("\n"), testing::ElementsAre(""));
  EXPECT_THAT(lines_of("a\n\nb"), testing::ElementsAre("a", "", "b"));
  EXPECT_THAT(lines_of("a\r\nb\n"), testing::ElementsAre("a\r", "b"));
}

TEST(LineReaderTest, LinesMayBeLongerThanABlock) {
  const std::string large(1'000'000, 'x');
  EXPECT_THAT(lines_of(large + "\nshort\n" + large), testing::ElementsAre(large, "short", large));
}

TEST(LineReaderTest, EveryLineArrivesWhereverTheBlocksEnd) {
  for (std::size_t shift = 0; shift < 60; shift += 5) {
    const std::string text = std::string(shift, 'x') + "\n" + long_text();
    EXPECT_EQ(lines_of(text).size(), 20001U);
  }
}

TEST(LineReaderTest, RefusesALineOverTheLimit) {
  const std::string text = "short\n" + std::string(longest_line_bytes + 2, 'x');
  try {
    lines_of(text);
    FAIL() << "it was taken";
  } catch (const HistoryError& error) {
    EXPECT_STREQ(error.what(),
                 "text:2: the line is longer than 64 MB; a history has one short line per event");
  }
}

}  // namespace source_test
}  // namespace holdfast
