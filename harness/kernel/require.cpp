#include "harness/kernel/require.h"

#include <unistd.h>

#include <exception>
#include <string_view>

namespace holdfast {
namespace {

// The one door to what a thread knows of the run it is in. A run only sets it and never reads it.
struct ThreadNotes {
  const ReplayScope* innermost = nullptr;
  std::string first_broken;  // what follows while that is on its way out is its consequence
};

ThreadNotes& notes() {
  thread_local ThreadNotes instance;
  return instance;
}

// From the top of the repository on, wherever that lies.
std::string_view file_in_repository(std::string_view path) {
  for (const std::string_view top : {"/harness/", "/locks/", "/faults/"}) {
    if (const std::size_t at = path.rfind(top); at != std::string_view::npos) {
      return path.substr(at + 1);
    }
  }
  return path;
}

void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) {
      return;  // nobody is there to be told
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

[[noreturn]] void end_with_a_sentence() {
  std::string sentence = notes().first_broken;
  if (sentence.empty()) {
    sentence = "holdfast ended where nothing may go wrong";
    try {
      if (const std::exception_ptr problem = std::current_exception()) {
        std::rethrow_exception(problem);
      }
    } catch (const std::exception& problem) {
      sentence = problem.what();
    } catch (...) {
      sentence += ", by something that is no exception";
    }
  }
  write_all("holdfast: " + sentence + "\n");
  ::_exit(exit_broken_invariant);  // servers and files are cleaned up by the guard, as after a kill
}

}  // namespace

ReplayScope::ReplayScope(const Replay* replay, const ReplayScope* outer)
    : replay_(replay), outer_(outer), before_(notes().innermost) {
  notes().innermost = this;
}

ReplayScope::~ReplayScope() {
  notes().innermost = before_;
}

const ReplayScope* ReplayScope::innermost() {
  return notes().innermost;
}

std::string replay_commands() {
  std::string commands;
  for (const ReplayScope* scope = ReplayScope::innermost(); scope != nullptr; scope = scope->outer_) {
    const std::string command = scope->replay_ != nullptr ? scope->replay_->command() : std::string();
    if (!command.empty()) {
      commands += (commands.empty() ? "" : ", within ") + command;
    }
  }
  return commands;
}

void invariant_broken(const char* must_hold, std::source_location where) {
  const std::string commands = replay_commands();
  const std::string sentence = std::string("a bug in holdfast: this must hold and does not: ") + must_hold +
                               " (" + std::string(file_in_repository(where.file_name())) + ":" +
                               std::to_string(where.line()) + "); " +
                               (commands.empty() ? "no run was going on" : "to see it again: " + commands);
  if (std::uncaught_exceptions() == 0) {
    notes().first_broken = sentence;
  }
  throw BrokenInvariant(sentence);
}

void tell_broken_invariants() {
  std::set_terminate(end_with_a_sentence);
}

}  // namespace holdfast
