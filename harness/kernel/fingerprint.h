// A rolling hash of everything that happened in a run: two runs are the same run iff it is the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace holdfast {

// A strong 64-bit mixing function (the finalizer of splitmix64).
constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  x ^= x >> 31;
  return x;
}

constexpr std::uint64_t hash_text(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  return hash;
}

namespace detail {

// Up to seven bytes as a number, the first one lowest. Reads of a fixed size, which may overlap, are a fifth
// of the work of copying a size that only the run knows.
inline std::uint64_t short_text(std::string_view text) {
  const std::size_t size = text.size();
  if (size >= sizeof(std::uint32_t)) {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    std::memcpy(&low, text.data(), sizeof low);
    std::memcpy(&high, text.data() + (size - sizeof high), sizeof high);
    return low | (std::uint64_t{high} << (8 * (size - sizeof high)));
  }
  if (size == 0) {
    return 0;
  }
  const auto byte = [&](std::size_t index) {
    return std::uint64_t{static_cast<unsigned char>(text[index])} << (8 * index);
  };
  return byte(0) | byte(size / 2) | byte(size - 1);
}

}  // namespace detail

// A quick hash of a text that may be long: its length and both ends. Enough to tell one command or reply of a
// run from another; not for lookups.
inline std::uint64_t quick_hash(std::string_view text) {
  const std::size_t size = text.size();
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  if (size >= sizeof first) {
    std::memcpy(&first, text.data(), sizeof first);
    std::memcpy(&last, text.data() + (size - sizeof last), sizeof last);
  } else {
    first = detail::short_text(text);
    last = first;
  }
  return mix(first ^ (last << 1) ^ (static_cast<std::uint64_t>(size) << 56));
}

class Fingerprint {
 public:
  void add(std::uint64_t value) {
    // One multiplication an event: order matters, and a flipped bit spreads over the next few events.
    state_ = (state_ ^ value) * 0x9e3779b97f4a7c15ULL;
    state_ ^= state_ >> 29;
  }
  void add(std::string_view text) { add(hash_text(text)); }
  std::uint64_t value() const { return mix(state_); }

 private:
  std::uint64_t state_ = 0x686f6c6466617374ULL;  // "holdfast"
};

// Sixteen hexadecimal digits.
std::string to_hex(std::uint64_t value);

}  // namespace holdfast
