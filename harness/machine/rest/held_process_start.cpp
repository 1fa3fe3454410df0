// How a held process begins.
#include <elf.h>
#include <fmt/format.h>
#include <linux/seccomp.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "harness/machine/clock/traced_program.h"
#include "harness/machine/clock/vdso.h"
#include "harness/machine/process/live_error.h"
#include "harness/machine/rest/held_process.h"
#include "harness/machine/rest/wait_filter.h"

namespace holdfast::rest {
namespace {

template <typename Value>
std::span<const unsigned char> bytes_of(const Value& value) {
  return {reinterpret_cast<const unsigned char*>(&value), sizeof value};
}

}  // namespace

HeldProcess::HeldProcess(const HeldProcessOptions& options)
    : options_(options),
      page_(options.page),
      clock_(options.clock),
      random_(options.seed ? std::optional<SeededRandom>(*options.seed) : std::nullopt),
      child_(prepared(options.program)) {}

live::ChildOptions HeldProcess::prepared(const live::ChildOptions& program) {
  page_.set(clock_.wall_ns, clock_.mono_ns);
  live::ChildOptions result = program;
  result.before_exec = [before = program.before_exec] {
    if (before && !before()) {
      return false;
    }
    // The same addresses every time: programs make random numbers of them, too.
    ::personality(ADDR_NO_RANDOMIZE);
    return let_parent_trace();
  };
  result.after_exec = [this](pid_t process) { begin(process); };
  return result;
}

void HeldProcess::begin(pid_t process) {
  try {
    TracedProgram program(process);
    live::Descriptor self(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
    if (!self) {
      throw std::runtime_error(std::string("the kernel gives no descriptor of it: ") + std::strerror(errno));
    }
    program_ = Program(process, std::move(self));
    count_at_ = put_on_page(program, page_.file(), random_.has_value());
    seed_loader(program);
    install_filter(program);
    program.release();
  } catch (const std::runtime_error& problem) {
    throw live::LiveError(fmt::format("{} cannot be held: {}.", name(), problem.what()));
  }
}

// The kernel gives every program 16 random bytes, of which it makes hashes and guards.
void HeldProcess::seed_loader(TracedProgram& program) {
  const std::uint64_t address = program.auxiliary(AT_RANDOM);
  if (random_ && address != 0) {
    std::array<unsigned char, 16> bytes{};
    random_->fill(bytes);
    program.write(address, bytes);
  }
}

void HeldProcess::install_filter(TracedProgram& program) {
  const std::vector<sock_filter> filter =
      wait_filter({.holds_every_wait = options_.one_at_a_time, .holds_random = random_.has_value()});
  const std::size_t length = filter.size() * sizeof(sock_filter);
  const std::uint64_t filter_at = program.scratch() - length;
  const std::uint64_t description_at = filter_at - sizeof(sock_fprog);
  program.write(filter_at, {reinterpret_cast<const unsigned char*>(filter.data()), length});
  sock_fprog description{};
  description.len = static_cast<unsigned short>(filter.size());
  description.filter = reinterpret_cast<sock_filter*>(filter_at);  // NOLINT(performance-no-int-to-ptr)
  program.write(description_at, bytes_of(description));

  program.call(SYS_prctl, {PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0});
  // A call that was taken is interrupted by nothing but the end of its thread.
  constexpr std::uint64_t flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
  const std::int64_t theirs =
      program.call(SYS_seccomp, {SECCOMP_SET_MODE_FILTER, flags, description_at, 0, 0, 0});
  if (theirs < 0) {
    throw std::runtime_error(std::string("no filter with a listener can be set: ") +
                             std::strerror(static_cast<int>(-theirs)));
  }
  listener_ = program_.copy_of(static_cast<int>(theirs));
  if (!listener_) {
    throw std::runtime_error(std::string("its descriptors cannot be copied: ") + std::strerror(errno));
  }
  program.call(SYS_close, {static_cast<std::uint64_t>(theirs), 0, 0, 0, 0, 0});
}

}  // namespace holdfast::rest
