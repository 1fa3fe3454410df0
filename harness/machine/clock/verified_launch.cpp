#include "harness/machine/clock/verified_launch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <optional>
#include <stdexcept>

#include "harness/kernel/require.h"
#include "harness/machine/clock/clock_way.h"
#include "harness/machine/clock/shim.h"
#include "harness/machine/process/descriptor.h"
#include "harness/machine/process/live_error.h"

namespace holdfast {
namespace {

constexpr std::int64_t hour_ns = 3'600'000'000'000;
// Between what a program says and what it read: it may round, or have read before it was asked.
constexpr std::int64_t slack_ns = 20'000'000;

// Whether the file gives whoever starts it more rights than they have: then the loader takes no library from
// the environment. Not to root, who has all that capabilities could give.
bool gives_rights(const std::filesystem::path& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0) {
    return false;
  }
  const bool sets_user = (status.st_mode & S_ISUID) != 0 && status.st_uid != ::getuid();
  const bool sets_group = (status.st_mode & S_ISGID) != 0 && status.st_gid != ::getgid();
  return sets_user || sets_group ||
         (::getuid() != 0 && ::getxattr(file.c_str(), "security.capability", nullptr, 0) > 0);
}

[[noreturn]] void refuse(const std::filesystem::path& program, const std::string& why) {
  throw live::LiveError(fmt::format("the clock of {} cannot be steered: {}", program.string(), why));
}

ClockWay way_by_nature(const std::filesystem::path& program) {
  try {
    return clock_way_of(program);
  } catch (const std::runtime_error& problem) {
    throw live::LiveError(problem.what());
  }
}

// Where its library can be loaded from; empty: nowhere, so that it takes the vDSO's way.
std::filesystem::path shim_for(const std::filesystem::path& started, const std::filesystem::path& program,
                               const std::filesystem::path& directory) {
  const bool is_of_libc = way_by_nature(program) == ClockWay::libc;
  const bool has_rights = gives_rights(started);
  std::filesystem::path shim;
  if (is_of_libc && !has_rights) {
    shim = loadable_clock_shim(directory);
  }
  const std::string why = shim.empty() ? why_no_virtual_time(ClockWay::vdso) : "";
  if (why.empty()) {
    return shim;
  }
  if (!is_of_libc) {
    refuse(program, why);
  }
  refuse(program, has_rights ? "it has rights of its own (set-user-ID, or file capabilities), so that its "
                               "loader takes no library of ours, and ptrace is forbidden here; use a copy of "
                               "it without them."
                             : fmt::format("nothing can be loaded from {} (mounted noexec?) nor from memory, "
                                           "and ptrace is forbidden here; set TMPDIR to another place.",
                                           directory.string()));
}

// How often a program has read its clocks; none: we may not look.
std::optional<std::uint64_t> readings_at(pid_t process, std::uint64_t address) {
  const live::Descriptor memory(::open(fmt::format("/proc/{}/mem", process).c_str(), O_RDONLY | O_CLOEXEC));
  std::uint64_t count = 0;
  const bool is_read = memory && ::pread(memory.get(), &count, sizeof count, static_cast<off_t>(address)) ==
                                     static_cast<ssize_t>(sizeof count);
  return is_read ? std::optional(count) : std::nullopt;
}

}  // namespace

VerifiedLaunch::VerifiedLaunch(ClockPage& page, const std::filesystem::path& directory,
                               const std::vector<std::string>& command)
    : page_(page),
      program_(program_in(command)),
      shim_(shim_for(live::find_program(command.front()), program_, directory)),
      way_(shim_.empty() ? ClockWay::vdso : ClockWay::libc),
      launch_(page.file(), shim_, way_) {}

void VerifiedLaunch::prepare(live::ChildOptions& options) {
  options.environment.insert(options.environment.end(), launch_.environment().begin(),
                             launch_.environment().end());
  if (way_ == ClockWay::vdso) {
    options.before_exec = [this] { return launch_.in_child(); };
    options.after_exec = [this](pid_t process) {
      try {
        count_at_ = launch_.in_parent(process);
      } catch (const std::runtime_error& problem) {
        refuse(program_, fmt::format("{}.", problem.what()));
      }
    };
  }
}

void VerifiedLaunch::verify(pid_t process) const {
  require(process > 1, "whoever is verified was started");
  if (const std::string why = why_not_on_page(process, page_.file(), way_); !why.empty()) {
    throw live::LiveError(why);
  }
  if (count_at_ != 0 && readings_at(process, count_at_) == 0) {
    throw live::LiveError(fmt::format(
        "{} (process {}) has not read the clock that it was given, so that it may live in real time.",
        program_.string(), process));
  }
}

void VerifiedLaunch::verify(pid_t process, const std::function<std::int64_t()>& says_wall_ns) {
  verify(process);
  if (page_.is_virtual() || has_moved_) {
    compare(says_wall_ns);
    return;
  }
  const std::int64_t wall_ns = page_.wall_offset_ns();
  page_.set_offsets(wall_ns - hour_ns, page_.mono_offset_ns());
  after_move(process);
  const auto move_back = [&] {
    page_.set_offsets(wall_ns, page_.mono_offset_ns());
    after_move(process);
  };
  try {
    compare(says_wall_ns);
  } catch (...) {
    move_back();
    throw;
  }
  move_back();
  has_moved_ = true;
}

void VerifiedLaunch::verify_said(pid_t process, std::int64_t before_ns, std::int64_t said_ns) const {
  verify(process);
  compare(before_ns, said_ns);
}

void VerifiedLaunch::compare(const std::function<std::int64_t()>& says_wall_ns) const {
  const std::int64_t before_ns = page_.wall_ns();
  compare(before_ns, says_wall_ns());
}

void VerifiedLaunch::compare(std::int64_t before_ns, std::int64_t said_ns) const {
  const std::int64_t after_ns = page_.wall_ns();
  if (said_ns < before_ns - slack_ns || said_ns > after_ns + slack_ns) {
    constexpr double second_ns = 1e9;
    throw live::LiveError(fmt::format(
        "{} does not follow the clock that it was given: it is {:.3f} s after 1970 there, and it says {:.3f} "
        "s; is it the program itself, or one that starts another?",
        program_.string(), static_cast<double>(after_ns) / second_ns,
        static_cast<double>(said_ns) / second_ns));
  }
}

}  // namespace holdfast
