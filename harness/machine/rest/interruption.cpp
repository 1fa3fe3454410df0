#include "harness/machine/rest/interruption.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/syscall.h>

#include <charconv>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>

#include "harness/machine/rest/system_calls.h"
#include "harness/machine/rest/units.h"

namespace holdfast::rest {
namespace {

constexpr std::uint64_t bit_of(int signal) {
  return std::uint64_t{1} << static_cast<unsigned>(signal - 1);
}

// Those that do nothing to a program that says nothing about them; and those that stop it, which it does not
// notice.
constexpr std::uint64_t harmless = bit_of(SIGCHLD) | bit_of(SIGURG) | bit_of(SIGWINCH) | bit_of(SIGCONT) |
                                   bit_of(SIGTSTP) | bit_of(SIGTTIN) | bit_of(SIGTTOU) | bit_of(SIGSTOP);

// "SigPnd: 0000000000000200", with a tab
std::uint64_t bits_in(std::string_view line) {
  const std::size_t at = line.find_last_of(" \t");
  std::uint64_t bits = 0;
  if (at != std::string_view::npos) {
    constexpr int hexadecimal = 16;
    std::from_chars(line.data() + at + 1, line.data() + line.size(), bits, hexadecimal);
  }
  return bits;
}

// Where the call has the address of a mask of its own; 0: nowhere.
std::uint64_t mask_address(const Call& call, const Program& program) {
  switch (call.number) {
    case SYS_ppoll:
      return call.arguments[3];
    case SYS_epoll_pwait:
    case call_epoll_pwait2:
      return call.arguments[4];
    case SYS_pselect6:  // it and its length, in a structure
      return call.arguments[5] == 0 ? 0 : program.read<std::uint64_t>(call.arguments[5]).value_or(0);
    default:
      return 0;
  }
}

}  // namespace

std::optional<ThreadSignals> signals_of(pid_t process, pid_t thread) {
  std::ifstream status(fmt::format("/proc/{}/task/{}/status", process, thread));
  ThreadSignals signals;
  bool is_there = false;
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("SigPnd:") || line.starts_with("ShdPnd:")) {
      signals.pending |= bits_in(line);
      is_there = true;
    } else if (line.starts_with("SigBlk:")) {
      signals.blocked = bits_in(line);
    } else if (line.starts_with("SigIgn:")) {
      signals.ignored = bits_in(line);
    } else if (line.starts_with("SigCgt:")) {
      signals.caught = bits_in(line);
    }
  }
  return is_there ? std::optional(signals) : std::nullopt;
}

Interruption interruption_of(const HeldWait& wait, const ThreadSignals& signals, const Program& program) {
  if (wait.kind == WaitKind::turn || wait.is_due) {
    return Interruption::none;  // it goes on at once anyway
  }
  const std::uint64_t that_matter = signals.pending & ~signals.ignored & (signals.caught | ~harmless);
  std::uint64_t blocked = signals.blocked;
  if (const std::uint64_t address = mask_address(wait.call, program); address != 0) {
    blocked = program.read<std::uint64_t>(address).value_or(blocked);
  }
  if ((that_matter & ~blocked) == 0) {
    return Interruption::none;
  }
  const bool by_its_mask = (that_matter & ~blocked & ~signals.blocked) == 0;
  const bool may_begin_anew = wait.kind == WaitKind::words && !wait.deadline;
  return by_its_mask || may_begin_anew ? Interruption::by_kernel : Interruption::by_answer;
}

void write_rest_of_sleep(const HeldWait& wait, const Program& program, std::int64_t left_ns) {
  const Call& call = wait.call;
  const bool is_relative_on_clock =
      call.number == SYS_clock_nanosleep && (call.arguments[1] & TIMER_ABSTIME) == 0;
  const std::uint64_t address = call.number == SYS_nanosleep ? call.arguments[1]
                                : is_relative_on_clock       ? call.arguments[3]
                                                             : 0;
  if (address != 0) {
    const timespec left{left_ns / second_ns, left_ns % second_ns};
    program.write(address, &left, sizeof left);
  }
}

}  // namespace holdfast::rest
