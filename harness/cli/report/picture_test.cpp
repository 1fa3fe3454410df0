// A picture by way of the whole Python side, of the history in the repository; and what is refused
// beforehand.
#include "harness/cli/report/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>

#include "harness/machine/process/temporary_directory.h"
#include "harness/text/bad_input.h"

namespace holdfast::cli::picture_test {

using ::testing::HasSubstr;

const std::string history = HOLDFAST_SOURCE_DIR "/harness/history/example.jsonl";

std::string problem_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::runtime_error& problem) {
    return problem.what();
  }
  return "";
}

TEST(Picture, DrawsWhatHappened) {
  const live::TemporaryDirectory directory;
  const std::string path = (directory.path() / "out.svg").string();
  draw_picture(history, R"({"letter": "F", "sentence": "two holders"})", path);
  std::ifstream file(path);
  const std::string picture{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(picture, HasSubstr("<svg"));
  EXPECT_THAT(picture, HasSubstr("pauses for"));
}

TEST(Picture, PassesOnTheSentenceOfWhatIsWrong) {
  const live::TemporaryDirectory directory;
  const std::string path = (directory.path() / "out.svg").string();
  EXPECT_THAT(problem_of([&] { draw_picture(history, "{}", path); }), HasSubstr("has no \"letter\""));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Picture, RefusesOtherEndingsAndPlacesBeforeAnythingRuns) {
  EXPECT_THAT(problem_of([] { check_can_draw("story.jpg"); }), HasSubstr("ends in .svg or .png"));
  EXPECT_THAT(problem_of([] { check_can_draw("no/such/place/story.svg"); }),
              HasSubstr("cannot write the picture"));
}

}  // namespace holdfast::cli::picture_test
