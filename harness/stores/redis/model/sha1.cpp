#include "harness/stores/redis/model/sha1.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

// FIPS 180-4, section 6.1, by the letter.
namespace holdfast::redis {
namespace {

using State = std::array<std::uint32_t, 5>;
constexpr std::size_t block_bytes = 64;

struct Round {
  std::uint32_t mixed;
  std::uint32_t constant;
};

Round round_function(std::size_t step, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  if (step < 20) return {(b & c) | (~b & d), 0x5A827999U};
  if (step < 40) return {b ^ c ^ d, 0x6ED9EBA1U};
  if (step < 60) return {(b & c) | (b & d) | (c & d), 0x8F1BBCDCU};
  return {b ^ c ^ d, 0xCA62C1D6U};
}

void absorb(State& state, std::string_view block) {
  std::array<std::uint32_t, 80> schedule{};
  for (std::size_t word = 0; word < 16; ++word) {
    for (std::size_t byte = 0; byte < 4; ++byte) {
      schedule[word] = schedule[word] << 8U | static_cast<unsigned char>(block[word * 4 + byte]);
    }
  }
  for (std::size_t word = 16; word < 80; ++word) {
    schedule[word] =
        std::rotl(schedule[word - 3] ^ schedule[word - 8] ^ schedule[word - 14] ^ schedule[word - 16], 1);
  }
  auto [a, b, c, d, e] = state;
  for (std::size_t step = 0; step < 80; ++step) {
    const Round round = round_function(step, b, c, d);
    const std::uint32_t next = std::rotl(a, 5) + round.mixed + e + round.constant + schedule[step];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e};
}

std::string padded_tail(std::string_view tail, std::uint64_t total_bytes) {
  std::string padded(tail);
  padded += '\x80';
  while (padded.size() % block_bytes != block_bytes - 8) padded += '\0';
  const std::uint64_t total_bits = total_bytes * 8;
  for (int shift = 56; shift >= 0; shift -= 8) {
    padded += static_cast<char>(static_cast<unsigned char>(total_bits >> static_cast<unsigned>(shift)));
  }
  return padded;
}

}  // namespace

std::string sha1_hex(std::string_view text) {
  State state = {0x67452301U, 0xEFCDAB89U, 0x98BADCFEU, 0x10325476U, 0xC3D2E1F0U};
  std::string_view rest = text;
  for (; rest.size() >= block_bytes; rest.remove_prefix(block_bytes)) absorb(state, rest);
  const std::string tail = padded_tail(rest, text.size());
  for (std::string_view block = tail; !block.empty(); block.remove_prefix(block_bytes)) absorb(state, block);

  std::string hex;
  for (const std::uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) {
      hex += "0123456789abcdef"[(word >> static_cast<unsigned>(shift)) & 0xFU];
    }
  }
  return hex;
}

}  // namespace holdfast::redis
