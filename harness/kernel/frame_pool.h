// Memory for coroutine frames, reused through free lists by size.
//
// A run creates and destroys some hundred frames; a general allocator would be a third of its cost.
// Each operating-system thread has a pool of its own (runs never cross threads), which is the one
// thread-local state that a run uses. Under AddressSanitizer the pool steps aside, so that a frame used
// after its end is seen.
#pragma once

#include <cstddef>

namespace holdfast::frame_pool {

void* allocate(std::size_t size_bytes);
void release(void* frame, std::size_t size_bytes) noexcept;

}  // namespace holdfast::frame_pool
