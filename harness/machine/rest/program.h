// What a supervisor may do to a program that is stopped in a system call: read and write its memory, and have
// copies of its descriptors. All of it can fail, for the program may be gone.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "harness/machine/process/descriptor.h"

namespace holdfast::rest {

class Program {
 public:
  Program() = default;
  // `descriptor` is one of the process (pidfd).
  Program(pid_t process, live::Descriptor descriptor) : process_(process), self_(std::move(descriptor)) {}

  pid_t process() const { return process_; }

  bool read(std::uint64_t address, void* to, std::size_t bytes) const;
  bool write(std::uint64_t address, const void* from, std::size_t bytes) const;
  template <typename Value>
  std::optional<Value> read(std::uint64_t address) const {
    Value value{};
    return read(address, &value, sizeof value) ? std::optional(value) : std::nullopt;
  }
  // Up to the zero, or `bytes_max` of it.
  std::string read_text(std::uint64_t address, std::size_t bytes_max) const;

  // Our own copy of the program's descriptor of that number; none: errno says why.
  live::Descriptor copy_of(int number) const;

 private:
  pid_t process_ = -1;
  live::Descriptor self_;
};

}  // namespace holdfast::rest
