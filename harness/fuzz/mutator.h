// Makes broken files of whole ones, from a seed: a stand-in for libFuzzer where there is only GCC.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/fuzz/numbers.h"

namespace holdfast::fuzz {

class Mutator {
 public:
  // `corpus` must not be empty. Results have at most `most_bytes`.
  Mutator(std::vector<std::string> corpus, std::size_t most_bytes, std::uint64_t seed);

  // The next broken file.
  std::string next();

 private:
  std::string piece();
  void mutate(std::string& text);

  std::vector<std::string> corpus_;
  std::size_t most_bytes_;
  Numbers numbers_;
};

}  // namespace holdfast::fuzz
