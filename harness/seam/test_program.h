// For tests: holdfast with the porter among its stores, asked as a user would.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "harness/cli/program.h"

namespace holdfast {

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

class SeamTest : public ::testing::Test {
 protected:
  SeamTest()
      : folder_(std::filesystem::path(testing::TempDir()) / ("holdfast-seam-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~SeamTest() override { std::filesystem::remove_all(folder_); }

  // This very program, so that it has the stores of this one.
  static Outcome holdfast(std::vector<std::string> words) {
    words.insert(words.begin(), "holdfast");
    words.insert(words.end(), {"--color", "never", "--scenarios", HOLDFAST_SOURCE_DIR "/scenarios"});
    std::vector<char*> arguments;
    for (std::string& word : words) {
      arguments.push_back(word.data());
    }
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Outcome outcome;
    outcome.code = cli::run_program(static_cast<int>(arguments.size()), arguments.data());
    outcome.out = testing::internal::GetCapturedStdout();
    outcome.err = testing::internal::GetCapturedStderr();
    return outcome;
  }

  // A story with two clients, unless it says which: "faults" as JSON, and what else it says. Returns the
  // file.
  std::string story(const std::string& faults, const std::string& lock = "porter-lock",
                    const std::string& topology = "{}", const std::string& clients = "2") const {
    std::string path = (folder_ / "story.json").string();
    std::ofstream(path) << R"({"version": 2, "title": "t", "about": "a", "lock": ")" << lock
                        << R"(", "clients": )" << clients << R"(, "topology": )" << topology
                        << R"(, "faults": [)" << faults << R"(], "expect": {"letter": "S"}})";
    return path;
  }

  std::filesystem::path folder_;
};

}  // namespace holdfast
