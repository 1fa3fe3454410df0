// For tests: a program under a supervisor, and what it has said so far.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "harness/machine/process/temporary_directory.h"
#include "harness/machine/process/test_place.h"
#include "harness/machine/rest/supervisor.h"
#include "harness/machine/rest/units.h"
#include "harness/machine/rest/why_no_rest.h"

namespace holdfast::rest::test_held {

inline std::string source_of(const std::string& probe) {
  return HOLDFAST_SOURCE_DIR "/harness/machine/rest/probes/" + probe;
}

// Whether a shell command, a compiler's say, succeeds; what it prints is not shown.
inline bool succeeds(const std::string& command) {
  return std::system(("(" + command + ") >/dev/null 2>&1 </dev/null").c_str()) == 0;
}

inline bool has_program(const std::string& name) {
  return succeeds("PATH=$PATH:/usr/sbin command -v " + name);
}

// The program itself: what stands in PATH may be a script that only becomes it.
inline std::string real_path_of(const std::string& name) {
  const live::TemporaryDirectory directory;
  const std::filesystem::path told = directory.path() / "told";
  succeeds("PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:$PATH; readlink -f $(command -v " + name + ") >" +
           told.string());
  std::ifstream file(told);
  std::string path;
  std::getline(file, path);
  return path;
}

inline std::string compiled(const live::TemporaryDirectory& directory, const std::string& probe) {
  const std::string program = (directory.path() / std::filesystem::path(probe).stem()).string();
  EXPECT_TRUE(succeeds("cc -O1 -w -pthread -o " + program + " " + source_of(probe)));
  return program;
}

class Held : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_rest(); !why.empty()) {
      GTEST_SKIP() << why;
    }
  }

  std::size_t start(Supervisor& supervisor, const std::vector<std::string>& command,
                    const std::vector<std::pair<std::string, std::string>>& environment = {}) {
    ProgramOptions options;
    options.name = std::filesystem::path(command.front()).filename();
    options.program.arguments = command;
    options.program.environment = environment;
    options.program.directory = directory_.path();
    options.program.output = output_of(supervisor.size());
    return supervisor.start(options);
  }
  std::filesystem::path output_of(std::size_t number) const {
    return directory_.path() / ("said-" + std::to_string(number));
  }
  std::string said(std::size_t number) const { return live::content_of(output_of(number)); }
  // Deadline by deadline until it has ended by itself.
  static void run_to_end(Supervisor& supervisor, std::size_t number) {
    supervisor.settle();
    for (int steps = 0; supervisor.is_running(number); ++steps) {
      ASSERT_TRUE(supervisor.expire_next()) << "it rests, and waits for no time";
      ASSERT_LT(steps, 100'000);
    }
  }

  const live::TemporaryDirectory directory_;
};

}  // namespace holdfast::rest::test_held
