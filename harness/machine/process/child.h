// A program that we started, and that ends with us.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::live {

struct ChildOptions {
  std::vector<std::string> arguments;  // the program first; searched in PATH, and in the sbin directories
  std::vector<std::pair<std::string, std::string>> environment;  // on top of ours
  std::filesystem::path directory;                               // to run in; empty: ours
  std::filesystem::path output;        // standard output and error; empty: /dev/null
  std::optional<int> input;            // descriptors for its standard input
  std::optional<int> standard_output;  // and output, instead of `output`
  // In the child, right before it becomes its program: only what is safe between fork and exec. False: errno
  // says why it must not go on.
  std::function<bool()> before_exec = nullptr;
  // In us, when it has become its program. What this throws the constructor throws; the child is then gone.
  std::function<void(pid_t)> after_exec = nullptr;
};

class Child {
 public:
  // Throws LiveError if the program cannot be started.
  explicit Child(const ChildOptions& options);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { kill(); }

  pid_t process() const { return process_; }
  bool is_running();
  // By SIGSTOP, whoever sent it.
  bool is_stopped() const;
  // SIGSTOP, SIGCONT, SIGTERM… Nothing if it has ended.
  void signal(int number);
  // SIGKILL, for it and all that it started in its process group, and waits until it is gone.
  void kill();
  // How it ended, once it has: "exit code 1", "signal 9".
  const std::string& ending() const { return ending_; }

 private:
  // Waits for it, which has ended or is about to.
  void bury();
  void note_end(int status);

  pid_t process_ = -1;
  bool is_over_ = false;
  std::string ending_;
};

// Where a program of this name is, as Child looks for it; a name with a slash is where it says. Throws
// LiveError if it is not installed.
std::string find_program(const std::string& name);

// The last lines of a file, for a message about a program that failed.
std::string last_lines(const std::filesystem::path& file, std::size_t lines = 3);

}  // namespace holdfast::live
