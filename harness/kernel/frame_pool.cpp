#include "harness/kernel/frame_pool.h"

#include <array>
#include <new>

namespace holdfast::frame_pool {
namespace {

constexpr std::size_t class_size_bytes = 64;
constexpr std::size_t class_count = 48;  // frames up to 3 KiB are pooled, larger ones are not

struct FreeFrame {
  FreeFrame* next;
};

class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    for (FreeFrame* head : free_) {
      while (head != nullptr) {
        FreeFrame* next = head->next;
        ::operator delete(head);
        head = next;
      }
    }
  }

  void* allocate(std::size_t class_index) {
    FreeFrame* frame = free_[class_index];
    if (frame == nullptr) {
      return ::operator new((class_index + 1) * class_size_bytes);
    }
    free_[class_index] = frame->next;
    return frame;
  }

  void release(void* memory, std::size_t class_index) noexcept {
    auto* frame = static_cast<FreeFrame*>(memory);
    frame->next = free_[class_index];
    free_[class_index] = frame;
  }

 private:
  std::array<FreeFrame*, class_count> free_{};
};

#ifdef HOLDFAST_SANITIZED
constexpr bool pooling = false;
#else
constexpr bool pooling = true;
#endif

Pool& pool() {
  thread_local Pool instance;
  return instance;
}

constexpr std::size_t class_of(std::size_t size_bytes) {
  return (size_bytes - 1) / class_size_bytes;
}

}  // namespace

void* allocate(std::size_t size_bytes) {
  const std::size_t class_index = class_of(size_bytes);
  if (!pooling || class_index >= class_count) {
    return ::operator new(size_bytes);
  }
  return pool().allocate(class_index);
}

void release(void* frame, std::size_t size_bytes) noexcept {
  const std::size_t class_index = class_of(size_bytes);
  if (!pooling || class_index >= class_count) {
    ::operator delete(frame);
    return;
  }
  pool().release(frame, class_index);
}

}  // namespace holdfast::frame_pool
