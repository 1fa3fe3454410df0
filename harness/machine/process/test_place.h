// For tests: a place for temporary directories, by which everything that a test started is known.
//
// Whoever is started meanwhile has the place in its environment as TMPDIR, and so have its own children; a
// redis-server, which writes its title over its environment, runs in a directory there.
#pragma once

#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "harness/machine/process/temporary_directory.h"

namespace holdfast::live {

inline std::string content_of(const std::filesystem::path& file) {
  const std::ifstream stream(file, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();  // a process that ends meanwhile is no exception, but the end of its file
  return content.str();
}

// As ps shows it: "redis-server 127.0.0.1:0".
inline std::string title_of(pid_t process) {
  std::string title = content_of("/proc/" + std::to_string(process) + "/cmdline");
  std::replace(title.begin(), title.end(), '\0', ' ');
  return title;
}

// 'T' for one that is stopped, 'Z' for one that has ended and was not waited for; 0 for none.
inline char state_of(pid_t process) {
  const std::string stat = content_of("/proc/" + std::to_string(process) + "/stat");
  const std::size_t at = stat.rfind(')');
  return at == std::string::npos || at + 2 >= stat.size() ? '\0' : stat[at + 2];
}

class TestPlace {
 public:
  TestPlace() {
    const char* const before = getenv("TMPDIR");
    before_ = before == nullptr ? "" : before;
    setenv("TMPDIR", path_.c_str(), 1);
  }
  TestPlace(const TestPlace&) = delete;
  TestPlace& operator=(const TestPlace&) = delete;
  ~TestPlace() {
    if (before_.empty()) {
      unsetenv("TMPDIR");
    } else {
      setenv("TMPDIR", before_.c_str(), 1);
    }
  }

  const std::filesystem::path& path() const { return path_; }

  // Those that run, and were started while this was the place.
  std::vector<pid_t> processes() const {
    const std::string entry = "TMPDIR=" + path().string();
    std::vector<pid_t> found;
    std::error_code ignored;
    for (const auto& each : std::filesystem::directory_iterator("/proc", ignored)) {
      const std::string number = each.path().filename().string();
      if (!std::all_of(number.begin(), number.end(),
                       [](char letter) { return letter >= '0' && letter <= '9'; })) {
        continue;
      }
      const std::string environment = '\0' + content_of(each.path() / "environ");
      const std::string runs_in = std::filesystem::read_symlink(each.path() / "cwd", ignored).string();
      if (environment.find('\0' + entry + '\0') != std::string::npos ||
          runs_in.starts_with(path().string() + "/")) {
        found.push_back(static_cast<pid_t>(std::stol(number)));
      }
    }
    return found;
  }
  // Those with such a word in their title: "redis-server", "[sentinel]", "live-client".
  std::vector<pid_t> processes_called(const std::string& word) const {
    std::vector<pid_t> found = processes();
    std::erase_if(found, [&](pid_t process) { return title_of(process).find(word) == std::string::npos; });
    return found;
  }

  // The first file of that name below it; empty: none.
  std::filesystem::path find(const std::string& name) const {
    std::error_code ignored;
    for (std::filesystem::recursive_directory_iterator each(path(), ignored), end; each != end;
         each.increment(ignored)) {
      if (each->path().filename() == name) {
        return each->path();
      }
    }
    return {};
  }

  // Processes and files, for a message; empty: nothing is left.
  std::string what_is_left() const {
    std::string text;
    for (const pid_t process : processes()) {
      text += title_of(process) + " (" + std::to_string(process) + ")\n";
    }
    std::error_code ignored;
    for (std::filesystem::recursive_directory_iterator each(path(), ignored), end; each != end;
         each.increment(ignored)) {
      text += each->path().string() + "\n";
    }
    return text;
  }

  // Real processes take real time: up to ten seconds of it.
  template <class Condition>
  static bool becomes_true(Condition condition) {
    for (int tries = 0; tries < 1000; ++tries) {
      if (condition()) {
        return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

 private:
  std::string before_;
  TemporaryDirectory directory_;
  std::filesystem::path path_ =
      std::filesystem::canonical(directory_.path());  // as a process tells where it runs
};

}  // namespace holdfast::live
