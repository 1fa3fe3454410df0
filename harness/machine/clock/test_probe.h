// For tests: a folder with a clock page and the preloaded library, and programs that run on the page.
//
// A program reads orders from its standard input and answers on its standard output. Each of probes/ knows:
//   clocks      answers "WALL MONOTONIC", in nanoseconds
//   sleep N     answers "waiting", sleeps N seconds, answers "timed out"
//   wait N      the same with a timed wait for something that never comes
// A program is killed at the latest with its test, or with the process that runs the test.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "harness/machine/clock/clock_page.h"
#include "harness/machine/clock/launch.h"
#include "harness/machine/clock/shim.h"
#include "harness/machine/process/send_signal.h"

namespace holdfast::test_probe {

inline constexpr std::int64_t second_ns = 1'000'000'000;
inline constexpr std::int64_t hour_ns = 3600 * second_ns;
// Far from real time, and with digits that show a mix-up or a rounding.
inline constexpr std::int64_t start_wall_ns = 1'000'000'000'123'456'789;
inline constexpr std::int64_t start_mono_ns = 5'000'987'654'321;

class Folder {
 public:
  Folder()
      : path_(std::filesystem::path(testing::TempDir()) /
              ("holdfast-clock-" + std::to_string(::getpid()) + "-" + count_up())) {
    std::filesystem::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path file(const std::string& name) const { return path_ / name; }

 private:
  // A process has one test at a time; the folder of one that is going may still be there.
  std::string count_up() const {
    int number = 0;
    const auto taken = [&] {
      return std::filesystem::exists(
          std::filesystem::path(testing::TempDir()) /
          ("holdfast-clock-" + std::to_string(::getpid()) + "-" + std::to_string(number)));
    };
    while (taken()) {
      ++number;
    }
    return std::to_string(number);
  }

  std::filesystem::path path_;
};

inline std::string source_of(const std::string& probe) {
  return HOLDFAST_SOURCE_DIR "/harness/machine/clock/probes/" + probe;
}

// Whether a shell command, a compiler's say, succeeds; what it prints is not shown.
inline bool succeeds(const std::string& command) {
  return std::system(("(" + command + ") >/dev/null 2>&1 </dev/null").c_str()) == 0;
}

inline bool has_program(const std::string& name) {
  return succeeds("command -v " + name);
}

// A pause in real time, for what happens in other processes.
inline void pause_ms(int length_ms) {
  ::poll(nullptr, 0, length_ms);
}

class Program {
 public:
  Program(const ClockLaunch& launch, const std::vector<std::string>& command) : launch_(launch) {
    int orders[2] = {-1, -1};
    int answers[2] = {-1, -1};
    if (::pipe2(orders, O_CLOEXEC) != 0 || ::pipe2(answers, O_CLOEXEC) != 0) {
      throw std::runtime_error("no pipes for a test program");
    }
    const std::vector<std::string> environment = environment_for(launch);
    std::vector<char*> words = pointers_to(command);
    std::vector<char*> variables = pointers_to(environment);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::dup2(orders[0], STDIN_FILENO);
      ::dup2(answers[1], STDOUT_FILENO);
      if (launch.in_child()) {
        ::execvpe(words[0], words.data(), variables.data());
      }
      ::_exit(127);
    }
    ::close(orders[0]);
    ::close(answers[1]);
    orders_ = orders[1];
    answers_ = answers[0];
    try {
      launch.in_parent(pid_);
    } catch (...) {
      pid_ = -1;
      end();
      throw;
    }
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { end(); }

  pid_t pid() const { return pid_; }

  void tell(const std::string& order) {
    const std::string line = order + "\n";
    if (::write(orders_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
      ADD_FAILURE() << "the program does not listen to " << order;
    }
  }
  // The next line that it answers; "(nothing)" if none comes in a time that is long for any machine.
  std::string answer() { return answer_within(30'000); }
  std::string answer_within(int limit_ms) {
    std::string line;
    for (;;) {
      pollfd polled{answers_, POLLIN, 0};
      char letter = 0;
      if (::poll(&polled, 1, limit_ms) != 1 || ::read(answers_, &letter, 1) != 1) {
        return line + "(nothing)";
      }
      if (letter == '\n') {
        return line;
      }
      line += letter;
    }
  }
  std::string ask(const std::string& order) {
    tell(order);
    return answer();
  }

  // Returns once all its threads are asleep, and have been for a while: it has nothing to do but wait.
  void settle() const {
    constexpr int enough = 10;
    constexpr int tries_max = 5000;
    int asleep = 0;
    for (int tries = 0; asleep < enough && tries < tries_max; ++tries) {
      asleep = is_asleep() ? asleep + 1 : 0;
      pause_ms(3);
    }
    EXPECT_EQ(asleep, enough) << "the program never rests";
  }

  // The processor time it has used, in ticks of 10 ms.
  std::int64_t used_ticks() const {
    const std::string status = content("/proc/" + std::to_string(pid_) + "/stat");
    std::istringstream fields(status.substr(status.rfind(')') + 2));
    std::string field;
    for (int skipped = 0; skipped < 11; ++skipped) {
      fields >> field;
    }
    std::int64_t user = 0;
    std::int64_t system = 0;
    fields >> user >> system;
    return user + system;
  }

  void after_move() const { launch_.after_move(pid_); }

 private:
  static std::string content(const std::string& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  static std::vector<char*> pointers_to(const std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (const std::string& word : words) {
      pointers.push_back(const_cast<char*>(word.c_str()));
    }
    pointers.push_back(nullptr);
    return pointers;
  }

  static std::vector<std::string> environment_for(const ClockLaunch& launch) {
    std::vector<std::string> variables;
    for (const auto& [name, value] : launch.environment()) {
      variables.push_back(fmt::format("{}={}", name, value));
    }
    for (char** variable = environ; *variable != nullptr; ++variable) {
      const std::string text = *variable;
      if (!text.starts_with("LD_PRELOAD=") && !text.starts_with("HOLDFAST_CLOCK_PAGE=")) {
        variables.push_back(text);
      }
    }
    return variables;
  }

  bool is_asleep() const {
    std::error_code gone;
    const std::string threads = "/proc/" + std::to_string(pid_) + "/task";
    for (const auto& thread : std::filesystem::directory_iterator(threads, gone)) {
      const std::string status = content(thread.path() / "stat");
      if (status.find(") S ") == std::string::npos) {
        return false;
      }
    }
    return !gone;
  }

  void end() {
    if (pid_ > 0) {
      live::send_signal(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    ::close(orders_);
    ::close(answers_);
  }

  const ClockLaunch& launch_;
  pid_t pid_ = -1;
  int orders_ = -1;
  int answers_ = -1;
};

inline std::string readings(std::int64_t wall_ns, std::int64_t mono_ns) {
  return std::to_string(wall_ns) + " " + std::to_string(mono_ns);
}

}  // namespace holdfast::test_probe
