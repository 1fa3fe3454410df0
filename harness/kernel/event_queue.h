// The queue of what is due, ordered by (true time, sequence): a row of entries that came in order, and a
// four-ary heap of those that did not.
//
// The timeout of a call is due long after its messages, and that of the next call after it: most timeouts
// come in order, stand in the row, and go stale there at no cost. The heap stays as small as what is really
// going on. The sequence number makes the order total, so equal times fire in the order they were scheduled.
// Entries are never removed early: whoever no longer wants one makes it stale (see Kernel::Slot).
// Four children a node instead of two halves the depth, and a family of four shares cache lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/kernel/append.h"
#include "harness/kernel/require.h"
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
  bool empty() const { return heap_.empty() && row_.empty(); }
  std::size_t size() const { return heap_.size() + row_.size() - row_begin_; }
  void clear() {
    heap_.clear();
    empty_row();
  }
  const QueueEntry& top() const {
    require(!empty(), "only a queue that holds something has a first entry");
    return row_is_first() ? row_[row_begin_] : heap_.front();
  }

  void push(const QueueEntry& entry) {
    if (row_.empty() ? is_far(entry) : row_.back().before(entry)) {
      append(row_, entry);
    } else {
      push_heap(entry);
    }
  }

  // All that it holds, in no order.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t index = row_begin_; index < row_.size(); ++index) {
      visit(row_[index]);
    }
    for (const QueueEntry& entry : heap_) {
      visit(entry);
    }
  }

  QueueEntry pop() {
    require(!empty(), "only what is in the queue is taken out of it");
    if (!row_is_first()) {
      return pop_heap();
    }
    const QueueEntry first = row_[row_begin_];
    ++row_begin_;
    if (row_begin_ == row_.size()) {
      empty_row();
    } else if (row_begin_ >= most_taken && row_begin_ * 2 >= row_.size()) {
      row_.erase(row_.begin(), row_.begin() + static_cast<std::ptrdiff_t>(row_begin_));
      row_begin_ = 0;
    }
    return first;
  }

 private:
  // How many entries that were taken may stand before those that were not: a long run must not keep them all.
  static constexpr std::size_t most_taken = 1024;

  // A row begins with something that is due long after what is next: where all is due soon the heap does
  // better alone, for nobody has to guess which of the two comes first.
  static constexpr Duration far = 10ms;
  bool is_far(const QueueEntry& entry) const {
    return !heap_.empty() && entry.due - heap_.front().due >= far;
  }

  bool row_is_first() const {
    return !row_.empty() && (heap_.empty() || row_[row_begin_].before(heap_.front()));
  }
  void empty_row() {
    row_.clear();
    row_begin_ = 0;
  }

  void push_heap(const QueueEntry& entry) {
    std::size_t hole = heap_.size();
    append(heap_, entry);
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

  QueueEntry pop_heap() {
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

  std::vector<QueueEntry> heap_;
  std::vector<QueueEntry> row_;  // in order, from row_begin_ on; empty once all of it was taken
  std::size_t row_begin_ = 0;
};

}  // namespace holdfast
