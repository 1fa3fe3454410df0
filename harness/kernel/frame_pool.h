// Memory for coroutine frames, and for what comes and goes as they do, reused through free lists by size.
//
// A run creates and destroys some hundred frames; a general allocator would be a third of its cost.
// Each operating-system thread has a pool of its own (runs never cross threads), which is the one
// thread-local state that a run uses. Under AddressSanitizer the pool steps aside, so that a frame used
// after its end is seen. In the header, because the size of a frame is known where it is made, and with it
// the list that it comes from.
#pragma once

#include <array>
#include <cstddef>

namespace holdfast::frame_pool {

namespace detail {

struct FreeFrame {
  FreeFrame* next;
};

inline constexpr std::size_t class_size_bytes = 64;
inline constexpr std::size_t class_count = 48;  // frames up to 3 KiB are pooled, larger ones are not

#ifdef HOLDFAST_SANITIZED
inline constexpr bool pooling = false;
#else
inline constexpr bool pooling = true;
#endif

// Heads of the lists. Whoever allocates anew sees to it that they are given back when the thread ends.
thread_local constinit inline std::array<FreeFrame*, class_count> free_frames{};

constexpr std::size_t class_of(std::size_t size_bytes) {
  return (size_bytes - 1) / class_size_bytes;
}
constexpr bool is_pooled(std::size_t size_bytes) {
  return pooling && class_of(size_bytes) < class_count;
}

void* allocate_anew(std::size_t size_bytes);
void release_for_good(void* frame) noexcept;

}  // namespace detail

inline void* allocate(std::size_t size_bytes) {
  if (detail::is_pooled(size_bytes)) {
    detail::FreeFrame*& head = detail::free_frames[detail::class_of(size_bytes)];
    if (detail::FreeFrame* const frame = head; frame != nullptr) {
      head = frame->next;
      return frame;
    }
  }
  return detail::allocate_anew(size_bytes);
}

inline void release(void* memory, std::size_t size_bytes) noexcept {
  if (!detail::is_pooled(size_bytes)) {
    detail::release_for_good(memory);
    return;
  }
  detail::FreeFrame*& head = detail::free_frames[detail::class_of(size_bytes)];
  auto* const frame = static_cast<detail::FreeFrame*>(memory);
  frame->next = head;
  head = frame;
}

// A class whose objects take their memory from here.
struct Pooled {
  static void* operator new(std::size_t size_bytes) { return allocate(size_bytes); }
  static void operator delete(void* memory, std::size_t size_bytes) noexcept { release(memory, size_bytes); }
};

}  // namespace holdfast::frame_pool
