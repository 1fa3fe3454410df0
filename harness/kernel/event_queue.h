// The queue of what is due, ordered by (true time, sequence): a four-ary heap of plain entries.
//
// The sequence number makes the order total, so equal times fire in the order they were scheduled.
// Entries are never removed early: whoever no longer wants one makes it stale (see Kernel::Slot).
// Four children a node instead of two halves the depth, and a family of four shares cache lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/kernel/time.h"

namespace holdfast {

struct QueueEntry {
  Duration due{0};  // true time
  std::uint64_t sequence = 0;
  std::uint32_t slot = 0;

  bool before(const QueueEntry& other) const {
    return due != other.due ? due < other.due : sequence < other.sequence;
  }
};

class EventQueue {
 public:
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  void clear() { heap_.clear(); }
  const QueueEntry& top() const { return heap_.front(); }

  void push(const QueueEntry& entry) {
    std::size_t hole = heap_.size();
    heap_.push_back(entry);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / 4;
      if (!entry.before(heap_[parent])) {
        break;
      }
      heap_[hole] = heap_[parent];
      hole = parent;
    }
    heap_[hole] = entry;
  }

  QueueEntry pop() {
    const QueueEntry first = heap_.front();
    const QueueEntry moved = heap_.back();
    heap_.pop_back();
    const std::size_t size = heap_.size();
    if (size == 0) {
      return first;
    }
    std::size_t hole = 0;
    while (true) {
      const std::size_t child = 4 * hole + 1;
      if (child >= size) {
        break;
      }
      std::size_t least = child;
      const std::size_t end = child + 4 < size ? child + 4 : size;
      for (std::size_t candidate = child + 1; candidate < end; ++candidate) {
        if (heap_[candidate].before(heap_[least])) {
          least = candidate;
        }
      }
      if (!heap_[least].before(moved)) {
        break;
      }
      heap_[hole] = heap_[least];
      hole = least;
    }
    heap_[hole] = moved;
    return first;
  }

 private:
  std::vector<QueueEntry> heap_;
};

}  // namespace holdfast
