// A Redis command as a list of words, the way it travels: SET lock c1 NX PX 10000.
//
// A value type. Built where the call is written (`command("SET", key, id, "NX", "PX", ttl_ms)`) and
// moved from there on: through the frames of a client, over the network, to the server. Words are
// binary-safe.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/kernel/frame_pool.h"

namespace holdfast::redis {

// A command lives about as long as the frame of the call that sends it, and comes from the same pool: its
// list costs no allocation, and moving it moves one pointer instead of every word.
template <typename T>
struct PooledAllocator {
  using value_type = T;
  PooledAllocator() = default;
  template <typename U>
  // NOLINTNEXTLINE(google-explicit-constructor): containers convert allocators among their types
  PooledAllocator(const PooledAllocator<U>&) noexcept {}
  T* allocate(std::size_t count) { return static_cast<T*>(frame_pool::allocate(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) noexcept { frame_pool::release(memory, count * sizeof(T)); }
  friend bool operator==(const PooledAllocator&, const PooledAllocator&) { return true; }
};

using Command = std::vector<std::string, PooledAllocator<std::string>>;

inline void append_word(Command& command, std::string_view word) {
  command.emplace_back(word);
}
inline void append_word(Command& command, std::integral auto number) {
  std::array<char, 24> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  command.emplace_back(digits.data(), end);
}

template <typename... Words>
Command make_command(const Words&... words) {
  Command command;
  command.reserve(sizeof...(words));
  (append_word(command, words), ...);
  return command;
}

}  // namespace holdfast::redis
