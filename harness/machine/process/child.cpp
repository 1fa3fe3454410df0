#include "harness/machine/process/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <string_view>
#include <system_error>

#include "harness/kernel/require.h"
#include "harness/machine/process/guard.h"
#include "harness/machine/process/live_error.h"
#include "harness/machine/process/send_signal.h"
#include "harness/text/text_width.h"

namespace holdfast::live {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& added) {
  std::vector<std::string> result;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view entry(*each);
    const std::string_view name = entry.substr(0, entry.find('='));
    bool is_replaced = false;
    for (const auto& [key, value] : added) {
      is_replaced = is_replaced || key == name;
    }
    if (!is_replaced) {
      result.emplace_back(entry);
    }
  }
  for (const auto& [key, value] : added) {
    result.push_back(fmt::format("{}={}", key, value));
  }
  return result;
}

// Nowhere, if that cannot be opened: what stood there before is ours.
void open_as(const char* path, int flags, int descriptor) {
  int opened = open(path, flags, 0600);
  if (opened < 0) {
    opened = open("/dev/null", O_RDWR);
  }
  if (opened >= 0 && opened != descriptor) {
    dup2(opened, descriptor);
    close(opened);
  }
}

// Between us and a child that is about to become a program.
struct StartPipe {
  explicit StartPipe(const std::string& program) {
    if (pipe2(ends, O_CLOEXEC) != 0) {
      throw LiveError(fmt::format("{} cannot be started: {}.", program, std::strerror(errno)));
    }
  }
  StartPipe(const StartPipe&) = delete;
  StartPipe& operator=(const StartPipe&) = delete;
  ~StartPipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(int which) {
    if (ends[which] >= 0) {
      close(ends[which]);
    }
    ends[which] = -1;
  }
  int ends[2] = {-1, -1};
};

}  // namespace

Child::Child(const ChildOptions& options) {
  require(!options.arguments.empty(), "a child has a program");
  std::vector<std::string> arguments = options.arguments;
  const std::string program = find_program(arguments.front());
  Guard& guard = Guard::instance();
  const DescentMark mark = guard.mark();
  std::vector<std::string> environment = environment_with(options.environment);
  const std::vector<char*> argument_pointers = pointers_to(arguments);
  const std::vector<char*> environment_pointers = pointers_to(environment);
  const std::string output = options.output.empty() ? "/dev/null" : options.output.string();
  StartPipe report(program);
  StartPipe go(program);
  process_ = fork();
  if (process_ == 0) {
    // Not before the guard knows of it: one who is killed right now leaves nothing behind.
    char letter = 0;
    go.close_end(1);
    if (read(go.ends[0], &letter, 1) != 1) {
      _exit(127);
    }
    setpgid(0, 0);  // Ctrl-C is for us to deal with
    wear(mark);
    // Our sockets are not its own: one that it kept open would not break when we break it.
    close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    open_as("/dev/null", O_RDONLY, 0);
    open_as(output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 1);
    dup2(1, 2);
    if (options.input) {
      dup2(*options.input, 0);
    }
    if (options.standard_output) {
      dup2(*options.standard_output, 1);
    }
    if ((options.directory.empty() || chdir(options.directory.c_str()) == 0) &&
        (!options.before_exec || options.before_exec())) {
      execve(program.c_str(), argument_pointers.data(), environment_pointers.data());
    }
    const int problem = errno;
    [[maybe_unused]] const ssize_t written = write(report.ends[1], &problem, sizeof problem);
    _exit(127);
  }
  int problem = process_ < 0 ? errno : 0;
  report.close_end(1);
  if (process_ > 0) {
    guard.watch(process_);
    [[maybe_unused]] const ssize_t told = write(go.ends[1], "!", 1);
    while (read(report.ends[0], &problem, sizeof problem) < 0 && errno == EINTR) {
    }
  }
  if (problem != 0) {
    kill();
    throw LiveError(fmt::format("{} cannot be started: {}.", program, std::strerror(problem)));
  }
  if (options.after_exec) {
    try {
      options.after_exec(process_);
    } catch (...) {
      kill();
      throw;
    }
  }
}

bool Child::is_running() {
  if (process_ < 0 || is_over_) {
    return false;
  }
  siginfo_t ended{};
  const int known = waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT);
  if (known == 0 && ended.si_pid == process_) {
    bury();
  } else if (known != 0 && errno == ECHILD) {
    note_end(
        SIGKILL);  // somebody waited for it, a tracer who gave up: the number may be another one's by now
  }
  return !is_over_;
}

bool Child::is_stopped() const {
  if (process_ < 0 || is_over_) {
    return false;
  }
  std::string stat;
  std::getline(std::ifstream(fmt::format("/proc/{}/stat", process_)), stat);
  const std::size_t state = stat.rfind(") ");  // its name, in brackets, may hold anything
  return state != std::string::npos && stat.substr(state + 2).starts_with('T');
}

void Child::signal(int number) {
  if (is_running()) {
    send_signal(process_, number);
  }
}

void Child::kill() {
  if (!is_running()) {
    return;
  }
  send_signal(process_, SIGKILL);
  bury();
}

void Child::bury() {
  require(process_ > 1 && !is_over_, "a child is buried once, and is a process of its own");
  // Whatever it started goes with it: first, for as long as it was not waited for its group is nobody else's.
  send_signal_to_group(process_, SIGKILL);
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  note_end(status);
}

void Child::note_end(int status) {
  is_over_ = true;
  ending_ = WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                                : fmt::format("exit code {}", WEXITSTATUS(status));
  Guard::instance().forget(process_);
}

// Servers live in sbin, which is not in everybody's PATH.
std::string find_program(const std::string& name) {
  if (name.empty()) {
    throw LiveError("a program without a name cannot be started.");
  }
  if (name.find('/') != std::string::npos) {
    return name;
  }
  std::error_code ignored;  // what cannot be looked at is not what is looked for
  const char* const path = std::getenv("PATH");
  std::string rest = std::string(path != nullptr ? path : "") + ":/usr/local/sbin:/usr/sbin:/sbin:/usr/bin";
  while (!rest.empty()) {
    const std::size_t end = rest.find(':');
    const std::string candidate = rest.substr(0, end) + "/" + name;
    if (std::filesystem::is_regular_file(candidate, ignored) && access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
    rest = end == std::string::npos ? "" : rest.substr(end + 1);
  }
  throw LiveError(fmt::format(
      "{} is not installed: it is nowhere in PATH; of what holdfast itself needs, ./test.sh installs all.",
      shortened(printable(name), 200)));
}

std::string last_lines(const std::filesystem::path& file, std::size_t lines) {
  std::ifstream stream(file);
  std::deque<std::string> last;
  for (std::string line; std::getline(stream, line);) {
    last.push_back(line);
    if (last.size() > lines) {
      last.pop_front();
    }
  }
  std::string text;
  for (const std::string& line : last) {
    text += (text.empty() ? "" : " / ") + line;
  }
  return text;
}

}  // namespace holdfast::live
