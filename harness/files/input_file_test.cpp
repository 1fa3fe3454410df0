// How: what a person may name instead of a file that can be read: a directory, a device without an end, a
// pipe to which nobody writes, and pipes to which somebody does.
#include "harness/files/input_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "harness/files/nameless_file.h"
#include "harness/files/test_folder.h"

namespace holdfast {
namespace input_file_test {

TEST(InputFile, IsReadWhole) {
  const TestFolder folder;
  const std::string text(200'001, 'x');
  folder.put("file", text);
  const WholeFile whole = read_whole_file(folder.file("file"), text.size());
  EXPECT_EQ(whole.problem, "");
  EXPECT_TRUE(whole.text == text);
}

TEST(InputFile, WhatIsTooLongOrHasNoEndIsGivenUp) {
  const TestFolder folder;
  folder.put("file", std::string(2'000'001, 'x'));
  EXPECT_EQ(read_whole_file(folder.file("file"), 2'000'000).problem, "it is larger than 2 MB");
  const WholeFile endless = read_whole_file("/dev/zero", 2'000'000);
  EXPECT_EQ(endless.error, EFBIG);
  EXPECT_EQ(endless.problem, "it is larger than 2 MB");
}

TEST(InputFile, WhatCannotBeReadHasAReason) {
  const TestFolder folder;
  EXPECT_EQ(read_whole_file(folder.file(""), 10).problem, "it is a directory");
  EXPECT_EQ(read_whole_file(folder.file("missing"), 10).problem, "No such file or directory");
  EXPECT_EQ(read_whole_file(folder.file(std::string(5000, 'x')), 10).problem, "File name too long");
}

class InputPipe : public testing::Test {
 protected:
  InputPipe() { EXPECT_EQ(::mkfifo(path_.c_str(), 0600), 0); }

  TestFolder folder_;
  std::string path_ = folder_.file("pipe");
};

TEST_F(InputPipe, WithoutAWriterIsGivenUp) {
  const InputFile file(path_, 1);
  EXPECT_EQ(file.problem(), "it is a pipe, and nobody came to write to it");
}

TEST_F(InputPipe, WithAWriterWhoSaysNothingYetIsWaitedFor) {
  const int writer = ::open(path_.c_str(), O_RDWR);
  ASSERT_GE(writer, 0);
  InputFile file(path_, 1);
  ASSERT_EQ(file.error(), 0);
  ASSERT_EQ(::write(writer, "text", 4), 4);
  std::string room(10, '\0');
  EXPECT_EQ(file.read(room), 4U);
  ::close(writer);
  EXPECT_EQ(file.read(room), 0U);
}

TEST_F(InputPipe, WhatWasWrittenIsReadWhenItsWriterHasGone) {
  const int keeper = ::open(path_.c_str(), O_RDONLY | O_NONBLOCK);
  const int writer = ::open(path_.c_str(), O_WRONLY);
  ASSERT_EQ(::write(writer, "text", 4), 4);
  ::close(writer);
  EXPECT_EQ(read_whole_file(path_, 100).text, "text");
  ::close(keeper);
}

TEST(NamelessFile, IsReadUnderItsPathAndStandsNowhere) {
  NamelessFile file;
  file.write("one ");
  file.write("two");
  EXPECT_EQ(read_whole_file(file.path(), 100).text, "one two");
  EXPECT_EQ(read_whole_file(file.path(), 100).text, "one two");
  struct stat status{};
  ASSERT_EQ(::stat(file.path().c_str(), &status), 0);
  EXPECT_EQ(status.st_nlink, 0U);
}

}  // namespace input_file_test
}  // namespace holdfast
