#include "harness/machine/clock/traced_program.h"

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>

#include "harness/machine/process/send_signal.h"

namespace holdfast {
namespace {

// 128 bytes below its stack pointer are a function's own; notes keep well clear of them.
constexpr std::uint64_t below_stack = 8192;

[[noreturn]] void fail_to_trace(const std::string& what) {
  throw std::runtime_error("cannot put the program on a clock page: " + what);
}

// ptrace takes numbers as pointers.
void* as_pointer(std::uint64_t number) {
  return reinterpret_cast<void*>(number);  // NOLINT(performance-no-int-to-ptr)
}

std::string ending_of(int status) {
  if (WIFEXITED(status)) {
    return "it ended with exit code " + std::to_string(WEXITSTATUS(status)) + " before it began";
  }
  return "it was killed by signal " + std::to_string(WTERMSIG(status)) + " before it began";
}

}  // namespace

bool let_parent_trace() noexcept {
  return ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0;
}

TracedProgram::TracedProgram(pid_t child) : pid_(child) {
  wait_for_trap();
  // If the tracer dies before it lets go, the program must not stay behind, stopped.
  ::ptrace(PTRACE_SETOPTIONS, pid_, nullptr, as_pointer(PTRACE_O_EXITKILL));
}

TracedProgram::~TracedProgram() {
  if (!released_) {
    live::send_signal(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
}

void TracedProgram::release() {
  if (::ptrace(PTRACE_DETACH, pid_, nullptr, nullptr) != 0) {
    fail_to_trace(std::string("it cannot be released: ") + std::strerror(errno));
  }
  released_ = true;
  for (const int signal : held_signals_) {
    live::send_signal(pid_, signal);
  }
}

std::uint64_t TracedProgram::auxiliary(std::uint64_t type) const {
  errno = 0;
  std::ifstream table("/proc/" + std::to_string(pid_) + "/auxv", std::ios::binary);
  if (!table.is_open()) {
    fail_to_trace(std::string("what the kernel gave it cannot be read: ") + std::strerror(errno));
  }
  Elf64_auxv_t entry{};
  while (table.read(reinterpret_cast<char*>(&entry), sizeof(entry))) {
    if (entry.a_type == type) {
      return entry.a_un.a_val;
    }
  }
  return 0;
}

std::vector<unsigned char> TracedProgram::read(std::uint64_t address, std::size_t count) const {
  std::vector<unsigned char> bytes(count);
  const iovec here{bytes.data(), count};
  // Whole pages: a part of a transfer that meets the memory's end gives nothing at all.
  constexpr std::size_t page_bytes = 4096;
  std::vector<iovec> there;
  for (std::size_t done = 0; done < count; done += page_bytes) {
    there.push_back({as_pointer(address + done), std::min(page_bytes, count - done)});
  }
  const ssize_t got = ::process_vm_readv(pid_, &here, 1, there.data(), there.size(), 0);
  bytes.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return bytes;
}

void TracedProgram::write(std::uint64_t address, std::span<const unsigned char> bytes) {
  for (std::size_t done = 0; done < bytes.size(); done += sizeof(long)) {
    const std::size_t count = std::min(sizeof(long), bytes.size() - done);
    errno = 0;
    long word =
        count == sizeof(long) ? 0 : ::ptrace(PTRACE_PEEKDATA, pid_, as_pointer(address + done), nullptr);
    std::memcpy(&word, bytes.data() + done, count);
    if (errno != 0 || ::ptrace(PTRACE_POKEDATA, pid_, as_pointer(address + done),
                               as_pointer(static_cast<std::uint64_t>(word))) != 0) {
      fail_to_trace(std::string("its memory cannot be written: ") + std::strerror(errno));
    }
  }
}

#if defined(__x86_64__)

namespace {

user_regs_struct registers_of(pid_t pid) {
  user_regs_struct registers{};
  if (::ptrace(PTRACE_GETREGS, pid, nullptr, &registers) != 0) {
    fail_to_trace(std::string("its registers cannot be read: ") + std::strerror(errno));
  }
  return registers;
}

}  // namespace

std::int64_t TracedProgram::call(std::uint64_t number, const std::array<std::uint64_t, 6>& arguments) {
  static constexpr std::array<unsigned char, 3> syscall_then_trap = {0x0f, 0x05, 0xcc};
  const user_regs_struct before = registers_of(pid_);
  const std::vector<unsigned char> code = read(before.rip, syscall_then_trap.size());
  if (code.size() != syscall_then_trap.size()) {
    fail_to_trace("its code cannot be read");
  }
  user_regs_struct during = before;
  during.rax = number;
  during.orig_rax = ~0ULL;  // it is in no system call that could be restarted
  during.rdi = arguments[0];
  during.rsi = arguments[1];
  during.rdx = arguments[2];
  during.r10 = arguments[3];
  during.r8 = arguments[4];
  during.r9 = arguments[5];
  write(before.rip, syscall_then_trap);
  ::ptrace(PTRACE_SETREGS, pid_, nullptr, &during);
  ::ptrace(PTRACE_CONT, pid_, nullptr, nullptr);
  wait_for_trap();
  const auto result = static_cast<std::int64_t>(registers_of(pid_).rax);
  write(before.rip, code);
  ::ptrace(PTRACE_SETREGS, pid_, nullptr, &before);
  return result;
}

std::uint64_t TracedProgram::scratch() const {
  constexpr std::uint64_t alignment = 16;
  return (registers_of(pid_).rsp - below_stack) & ~(alignment - 1);
}

#else

std::int64_t TracedProgram::call(std::uint64_t, const std::array<std::uint64_t, 6>&) {
  fail_to_trace("this works on x86-64 only");
}

std::uint64_t TracedProgram::scratch() const {
  return below_stack;
}

#endif

void TracedProgram::wait_for_trap() {
  for (;;) {
    int status = 0;
    const pid_t waited = ::waitpid(pid_, &status, 0);
    if (waited < 0 && errno == EINTR) {
      continue;
    }
    if (waited < 0) {
      fail_to_trace(std::string("it cannot be waited for: ") + std::strerror(errno));
    }
    if (!WIFSTOPPED(status)) {
      released_ = true;  // there is nothing left to kill
      fail_to_trace(ending_of(status));
    }
    if (WSTOPSIG(status) == SIGTRAP) {
      return;
    }
    held_signals_.push_back(WSTOPSIG(status));
    ::ptrace(PTRACE_CONT, pid_, nullptr, nullptr);
  }
}

}  // namespace holdfast
