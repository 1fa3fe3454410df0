#include "harness/kernel/frame_pool.h"

#include <new>
#include <utility>

namespace holdfast::frame_pool::detail {
namespace {

// Gives the thread's free frames back when it ends.
class Keeper {
 public:
  Keeper() = default;
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;
  ~Keeper() {
    for (FreeFrame*& head : free_frames) {
      while (head != nullptr) {
        ::operator delete(std::exchange(head, head->next));
      }
    }
  }
  void stay() const {}
};

}  // namespace

void* allocate_anew(std::size_t size_bytes) {
  if (!is_pooled(size_bytes)) {
    return ::operator new(size_bytes);
  }
  thread_local const Keeper keeper;
  keeper.stay();  // it is made when it is first used
  return ::operator new((class_of(size_bytes) + 1) * class_size_bytes);
}

void release_for_good(void* frame) noexcept {
  ::operator delete(frame);
}

}  // namespace holdfast::frame_pool::detail
