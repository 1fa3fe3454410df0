// How much a test with random input does.
//
// Three volumes: the usual one finds what a day's work breaks, the thorough one (./test.sh --thorough, which
// sets HOLDFAST_THOROUGH) what is rare, and the sanitized one serves to look at memory, for which a few
// inputs do.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace holdfast {

struct TestVolume {
  std::uint64_t usual = 0;
  std::uint64_t thorough = 0;
  std::uint64_t sanitized = 0;
};

// `variable` of the environment overrules all three.
inline std::uint64_t how_many(const TestVolume& volume, const char* variable = nullptr) {
  if (const char* const told = variable != nullptr ? std::getenv(variable) : nullptr) {
    return std::strtoull(told, nullptr, 10);
  }
#ifdef HOLDFAST_SANITIZED
  return volume.sanitized;
#else
  return std::getenv("HOLDFAST_THOROUGH") != nullptr ? volume.thorough : volume.usual;
#endif
}

}  // namespace holdfast
