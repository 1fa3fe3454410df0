// What must hold, said where it must: require(pauses > 0, "a process is resumed only while it is paused").
//
// Always on, in every build: a run that goes on after its own rules broke tells a story that is not true.
// What holds is one comparison; what does not is a bug of holdfast's, never an outcome of a run and never bad
// input. Say what must hold, not what went wrong, and where a door lets things both in and out say it at
// both.
//
// What broke leaves as a BrokenInvariant, whose sentence names the place and the command that shows it again.
// Where nothing may be thrown (a destructor) it ends the program with the same sentence: see
// tell_broken_invariants.
#pragma once

#include <cstddef>
#include <source_location>
#include <stdexcept>
#include <string>

namespace holdfast {

class BrokenInvariant final : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// What a program ends with when holdfast itself is wrong (EX_SOFTWARE of sysexits.h).
inline constexpr int exit_broken_invariant = 70;

[[noreturn, gnu::cold, gnu::noinline]] void invariant_broken(const char* must_hold,
                                                             std::source_location where);

// `must_hold` is a literal: nothing is put together unless it is needed. `where` is one pointer, known to the
// compiler.
template <std::size_t size>
inline void require(bool holds, const char (&must_hold)[size],
                    std::source_location where = std::source_location::current()) {
  if (!holds) [[unlikely]] {
    invariant_broken(must_hold, where);
  }
}

// Whoever runs a run says how to run it again, for as long as a ReplayScope stands; the words are made only
// when they are needed. Scopes nest: the innermost knows best, and those around it are named behind it.
class Replay {
 public:
  Replay() = default;
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;
  virtual ~Replay() = default;
  // The command, as one would type it; empty: ask the scope around this one.
  virtual std::string command() const = 0;
};

class ReplayScope {
 public:
  // `replay` must outlive the scope.
  explicit ReplayScope(const Replay& replay) : ReplayScope(&replay, innermost()) {}
  // On another thread than `outer`, which must outlive this one (null: there is none).
  explicit ReplayScope(const ReplayScope* outer) : ReplayScope(nullptr, outer) {}
  ReplayScope(const ReplayScope&) = delete;
  ReplayScope& operator=(const ReplayScope&) = delete;
  ~ReplayScope();

  // Of this operating-system thread.
  static const ReplayScope* innermost();

 private:
  friend std::string replay_commands();
  ReplayScope(const Replay* replay, const ReplayScope* outer);

  const Replay* replay_;
  const ReplayScope* outer_;
  const ReplayScope* before_;  // of this thread
};

// "holdfast run two-clients --lock redis-setnx --seed 3, within holdfast matrix"; empty: nobody said.
std::string replay_commands();

// From now on what must hold and does not, where nothing can catch it, ends the program with its sentence on
// standard error and exit code 70, instead of a core file. So does any other exception that nobody caught.
void tell_broken_invariants();

}  // namespace holdfast
