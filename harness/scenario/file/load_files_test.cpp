// How: scenario files are written into a directory of the test's own and asked for by name and by path.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "harness/scenario/file/load.h"

namespace holdfast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const ScenarioNames& file_names() {
  static const ScenarioNames all{.locks = {"redis-px-cad"}};
  return all;
}

const std::string whole_file =
    R"({"title": "t", "about": "a", "lock": "redis-px-cad", "clients": 2, "expect": {"letter": "S"}})";

// Files, each in a directory that is gone after the test.
class LoadFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = ::testing::TempDir() + "holdfast_load_" +
                 ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string write(const std::string& name, const std::string& content) const {
    const std::string path = directory_ + "/" + name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  static std::string sentence_about_file(const std::string& path) {
    try {
      load_scenario(path, file_names());
    } catch (const ScenarioError& error) {
      return error.what();
    }
    return "(no error)";
  }

  std::string directory_;
};

TEST_F(LoadFiles, AScenarioIsNamedAfterItsFile) {
  EXPECT_EQ(load_scenario(write("my-story.json", whole_file), file_names()).name, "my-story");
}

TEST_F(LoadFiles, WhatCannotBeReadIsSaidInOneSentence) {
  const std::string missing = directory_ + "/missing.json";
  EXPECT_THAT(sentence_about_file(missing), HasSubstr(missing + ": No such file"));
  EXPECT_THAT(sentence_about_file(directory_), HasSubstr(directory_ + " is a directory"));
  EXPECT_THAT(sentence_about_file(write("empty.json", "")), HasSubstr("empty.json: the file is empty"));
  EXPECT_THAT(sentence_about_file(""), HasSubstr("cannot read"));
}

TEST_F(LoadFiles, AHugeFileIsRefusedWithoutReadingItAll) {
  const std::string path = write("huge.json", std::string(10, 'x'));
  std::filesystem::resize_file(path, 100'000'000);
  EXPECT_THAT(sentence_about_file(path), HasSubstr("huge.json is larger than 1 MB"));
  EXPECT_THAT(sentence_about_file("/dev/zero"), HasSubstr("/dev/zero is larger than 1 MB"));
}

TEST_F(LoadFiles, ABareNameIsLookedUpAndAPathIsTakenAsItIs) {
  write("gc-pause-write.json", whole_file);
  write("family-none.json", whole_file);
  write("scenario.schema.json", "{}");
  write("expected.json", "{}");
  write("survivors.json", "{}");
  write("README.md", "");
  EXPECT_THAT(scenario_names_in(directory_), ElementsAre("family-none", "gc-pause-write"));
  EXPECT_THAT(scenario_names_in(directory_ + "/none"), ElementsAre());

  EXPECT_EQ(find_scenario({"/nowhere", directory_}, "family-none"), directory_ + "/family-none.json");
  EXPECT_EQ(find_scenario({directory_}, "./family-none"), "./family-none");
  EXPECT_EQ(find_scenario({directory_}, "family-none.json"), "family-none.json");
  try {
    find_scenario({directory_}, "gc-pause-wrte");
    FAIL() << "found";
  } catch (const ScenarioError& error) {
    EXPECT_EQ(error.what(), "there is no scenario \"gc-pause-wrte\" in " + directory_ +
                                "; did you mean \"gc-pause-write\"?");
  }
  EXPECT_THROW(find_scenario({directory_}, "schema"), ScenarioError);
  EXPECT_THROW(find_scenario({}, ""), ScenarioError);
}

}  // namespace
}  // namespace holdfast
