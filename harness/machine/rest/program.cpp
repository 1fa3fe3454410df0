#include "harness/machine/rest/program.h"

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>

namespace holdfast::rest {
namespace {

void* as_address(std::uint64_t number) {
  return reinterpret_cast<void*>(number);  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace

bool Program::read(std::uint64_t address, void* to, std::size_t bytes) const {
  const iovec here{to, bytes};
  const iovec there{as_address(address), bytes};
  return ::process_vm_readv(process_, &here, 1, &there, 1, 0) == static_cast<ssize_t>(bytes);
}

bool Program::write(std::uint64_t address, const void* from, std::size_t bytes) const {
  const iovec here{const_cast<void*>(from), bytes};
  const iovec there{as_address(address), bytes};
  return ::process_vm_writev(process_, &here, 1, &there, 1, 0) == static_cast<ssize_t>(bytes);
}

std::string Program::read_text(std::uint64_t address, std::size_t bytes_max) const {
  std::string text(bytes_max, '\0');
  constexpr std::uint64_t page_bytes = 4096;
  const std::size_t to_page_end = page_bytes - address % page_bytes;
  const iovec here{text.data(), bytes_max};
  // In two parts: the text may end right before memory that is not there.
  const iovec there[2] = {{as_address(address), std::min(bytes_max, to_page_end)},
                          {as_address(address + to_page_end), bytes_max - std::min(bytes_max, to_page_end)}};
  const ssize_t got = ::process_vm_readv(process_, &here, 1, there, there[1].iov_len == 0 ? 1 : 2, 0);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text.substr(0, text.find('\0'));
}

live::Descriptor Program::copy_of(int number) const {
  return live::Descriptor(static_cast<int>(::syscall(SYS_pidfd_getfd, self_.get(), number, 0)));
}

}  // namespace holdfast::rest
