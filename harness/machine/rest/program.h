// What a supervisor may do to a program that is stopped in a system call: read and write its memory, and have
// copies of its descriptors. All of it can fail, for the program may be gone.
//
// It is done by way of one of its threads, for threads differ: the first may have ended while others go on,
// and each may have descriptors of its own (unshare).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "harness/machine/process/descriptor.h"

namespace holdfast::rest {

class Program {
 public:
  Program() = default;
  // `descriptor` is one of the process (pidfd). Best made while it is traced: what the program forbids later
  // (PR_SET_DUMPABLE) is allowed then, and its memory stays open.
  Program(pid_t process, live::Descriptor descriptor);

  pid_t process() const { return process_; }
  // The same program, by way of this thread of it.
  Program by_way_of(pid_t thread) const;

  bool read(std::uint64_t address, void* to, std::size_t bytes) const;
  bool write(std::uint64_t address, const void* from, std::size_t bytes) const;
  template <typename Value>
  std::optional<Value> read(std::uint64_t address) const {
    Value value{};
    return read(address, &value, sizeof value) ? std::optional(value) : std::nullopt;
  }
  // Up to the zero, or `bytes_max` of it.
  std::string read_text(std::uint64_t address, std::size_t bytes_max) const;

  // Our own copy of the program's descriptor of that number; none: errno says why. EBADF: it is not open.
  live::Descriptor copy_of(int number) const;

 private:
  bool is_open_in_thread(int number) const;

  pid_t process_ = -1;
  pid_t thread_ = -1;
  std::shared_ptr<const live::Descriptor> self_;
  std::shared_ptr<const live::Descriptor> memory_;  // for when the kernel lets us in no more
};

}  // namespace holdfast::rest
