#include "harness/machine/rest/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace holdfast::rest {
namespace {

// A thread that has ended has no memory, and one that forbade it shows none.
bool is_refused(int error) {
  return error == EPERM || error == ESRCH;
}

void* as_address(std::uint64_t number) {
  return reinterpret_cast<void*>(number);  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace

Program::Program(pid_t process, live::Descriptor descriptor)
    : process_(process),
      thread_(process),
      self_(std::make_shared<const live::Descriptor>(std::move(descriptor))),
      memory_(std::make_shared<const live::Descriptor>(
          ::open(fmt::format("/proc/{}/mem", process).c_str(), O_RDWR | O_CLOEXEC))) {}

Program Program::by_way_of(pid_t thread) const {
  Program same = *this;
  same.thread_ = thread;
  return same;
}

// Through the file only where the kernel refuses: it would also write what the program itself may not.
bool Program::read(std::uint64_t address, void* to, std::size_t bytes) const {
  const iovec here{to, bytes};
  const iovec there{as_address(address), bytes};
  const ssize_t got = ::process_vm_readv(thread_, &here, 1, &there, 1, 0);
  return got == static_cast<ssize_t>(bytes) ||
         (got < 0 && is_refused(errno) && memory_ && *memory_ &&
          ::pread(memory_->get(), to, bytes, static_cast<off_t>(address)) == static_cast<ssize_t>(bytes));
}

bool Program::write(std::uint64_t address, const void* from, std::size_t bytes) const {
  const iovec here{const_cast<void*>(from), bytes};
  const iovec there{as_address(address), bytes};
  const ssize_t put = ::process_vm_writev(thread_, &here, 1, &there, 1, 0);
  return put == static_cast<ssize_t>(bytes) ||
         (put < 0 && is_refused(errno) && memory_ && *memory_ &&
          ::pwrite(memory_->get(), from, bytes, static_cast<off_t>(address)) == static_cast<ssize_t>(bytes));
}

std::string Program::read_text(std::uint64_t address, std::size_t bytes_max) const {
  std::string text(bytes_max, '\0');
  constexpr std::uint64_t page_bytes = 4096;
  const std::size_t to_page_end = page_bytes - address % page_bytes;
  const iovec here{text.data(), bytes_max};
  // In two parts: the text may end right before memory that is not there.
  const iovec there[2] = {{as_address(address), std::min(bytes_max, to_page_end)},
                          {as_address(address + to_page_end), bytes_max - std::min(bytes_max, to_page_end)}};
  ssize_t got = ::process_vm_readv(thread_, &here, 1, there, there[1].iov_len == 0 ? 1 : 2, 0);
  if (got < 0 && is_refused(errno) && memory_ && *memory_) {
    got = ::pread(memory_->get(), text.data(), bytes_max, static_cast<off_t>(address));
  }
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text.substr(0, text.find('\0'));
}

live::Descriptor Program::copy_of(int number) const {
  constexpr unsigned of_thread = O_EXCL;  // PIDFD_THREAD, of Linux 6.9
  if (thread_ != process_) {
    const live::Descriptor thread(static_cast<int>(::syscall(SYS_pidfd_open, thread_, of_thread)));
    if (thread) {
      return live::Descriptor(static_cast<int>(::syscall(SYS_pidfd_getfd, thread.get(), number, 0)));
    }
  }
  live::Descriptor copy(static_cast<int>(::syscall(SYS_pidfd_getfd, self_ ? self_->get() : -1, number, 0)));
  if (!copy && errno == EBADF && is_open_in_thread(number)) {
    errno = EOPNOTSUPP;  // the first thread has it not, or has ended
  }
  return copy;
}

bool Program::is_open_in_thread(int number) const {
  struct stat link{};
  const int before = errno;
  const bool is_open =
      ::lstat(fmt::format("/proc/{}/task/{}/fd/{}", process_, thread_, number).c_str(), &link) == 0;
  errno = before;
  return is_open;
}

}  // namespace holdfast::rest
