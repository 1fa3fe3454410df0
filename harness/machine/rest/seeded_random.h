// The random numbers of a program, from a seed: what getrandom() gives, and what /dev/urandom holds.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "harness/machine/process/descriptor.h"

namespace holdfast::rest {

class SeededRandom {
 public:
  explicit SeededRandom(std::uint64_t seed) : state_(seed) {}

  void fill(std::span<unsigned char> bytes);
  // A file in memory in the place of /dev/urandom. It ends after a million bytes; none: no memory.
  live::Descriptor open();

  static bool is_random_file(std::string_view path) {
    return path == "/dev/urandom" || path == "/dev/random";
  }

 private:
  std::uint64_t state_;
};

}  // namespace holdfast::rest
