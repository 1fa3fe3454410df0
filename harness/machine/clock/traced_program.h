// A program stopped under ptrace right after its exec, before its first instruction: its memory, and system
// calls made in its name. Linux on x86-64.
//
// All is done by the thread that forked the program: to the kernel, that thread is the tracer. Failures are
// std::runtime_errors of one sentence.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast {

class TracedProgram {
 public:
  // Waits until `child`, which has called let_parent_trace(), has become its program.
  explicit TracedProgram(pid_t child);
  TracedProgram(const TracedProgram&) = delete;
  TracedProgram& operator=(const TracedProgram&) = delete;
  // A program that was not released is killed, and gone.
  ~TracedProgram();

  // Lets it run, untraced.
  void release();

  // A value of the table that the kernel gives to every program (AT_...); 0: not in it.
  std::uint64_t auxiliary(std::uint64_t type) const;
  // Fewer bytes than asked for if the memory ends before.
  std::vector<unsigned char> read(std::uint64_t address, std::size_t count) const;
  // Writes even where the program itself may not.
  void write(std::uint64_t address, std::span<const unsigned char> bytes);
  // Runs a system call in the program: its result, or a negative error number.
  std::int64_t call(std::uint64_t number, const std::array<std::uint64_t, 6>& arguments);
  // Memory of the program that is free for notes, below its stack.
  std::uint64_t scratch() const;

 private:
  void wait_for_trap();

  pid_t pid_;
  bool released_ = false;
  std::vector<int> held_signals_;  // came while it was not its own master
};

// For the child, between fork and exec: only what is safe there. False: not allowed, see errno.
bool let_parent_trace() noexcept;

}  // namespace holdfast
