// What a search has tried already, within a bound of memory.
//
// A configuration is where the search stands: how many returns it is past, which of the calls open there it
// has linearized (the window), the state, and which info calls it has used. Of two configurations that differ
// only in the info calls used, the one that used fewer can do all that the other can: so a configuration is
// also known if one was tried that used no more of any class (outline.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/check/linear/model.h"
#include "harness/kernel/require.h"

namespace holdfast::linear {

// Bytes that may be used and are. Containers grow only through make_room.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::size_t limit) : limit_(limit) {}

  std::size_t used() const { return used_; }

  bool take(std::size_t bytes) {
    require(used_ <= limit_, "a search uses no more memory than it may");
    if (bytes > limit_ - used_) {
      return false;
    }
    used_ += bytes;
    return true;
  }
  void give_back(std::size_t bytes) {
    require(bytes <= used_, "no more memory is given back than was taken");
    used_ -= bytes;
  }

  // For `extra` more elements. While a vector grows, its old and its new block are both there.
  template <class T>
  bool make_room(std::vector<T>& vector, std::size_t extra) {
    const std::size_t wanted = vector.size() + extra;
    if (wanted <= vector.capacity()) {
      return true;
    }
    const std::size_t capacity = std::max({wanted, 2 * vector.capacity(), std::size_t{16}});
    const std::size_t old_bytes = vector.capacity() * sizeof(T);
    if (!take(capacity * sizeof(T))) {
      return false;
    }
    vector.reserve(capacity);
    give_back(old_bytes);
    return true;
  }

 private:
  std::size_t limit_;
  std::size_t used_ = 0;
};

// How many info calls of a class were used. Equal info calls are used in order, so the count says which.
using InfoCount = std::uint16_t;

inline bool uses_no_more(const InfoCount* left, const InfoCount* right, std::size_t classes) {
  for (std::size_t each = 0; each < classes; ++each) {
    if (left[each] > right[each]) {
      return false;
    }
  }
  return true;
}

enum class Visit : std::uint8_t { fresh, known, out_of_memory };

template <class State, class Rules>
class Memo {
 public:
  Memo(std::size_t window_words, std::size_t classes, MemoryBudget& budget)
      : window_words_(window_words), classes_(classes), budget_(budget) {}

  // Notes the configuration, unless it is known.
  Visit visit(std::uint32_t passed, const std::uint64_t* window, const State& state, const InfoCount* infos) {
    if (2 * (heads_ + 1) > buckets_.size() && !rehash()) {
      return Visit::out_of_memory;
    }
    require(heads_ < buckets_.size(), "a table of what was tried has a free place");
    std::uint64_t hash = hash_with(Rules::memo_compares_states ? state.hash() : 0, passed);
    for (std::size_t word = 0; word < window_words_; ++word) {
      hash = hash_with(hash, window[word]);
    }
    std::size_t bucket = hash & (buckets_.size() - 1);
    while (buckets_[bucket] != none && !is_same(buckets_[bucket], hash, passed, window, state)) {
      bucket = (bucket + 1) & (buckets_.size() - 1);
    }
    for (std::uint32_t each = buckets_[bucket]; each != none; each = entries_[each].next) {
      InfoCount* const tried = infos_of(each);
      const bool covered = Rules::memo_prefers_fewer_infos ? uses_no_more(tried, infos, classes_)
                                                           : uses_no_more(infos, tried, classes_);
      if (covered) {
        return Visit::known;
      }
      if (Rules::memo_prefers_fewer_infos && uses_no_more(infos, tried, classes_)) {
        std::copy_n(infos, classes_, tried);
        return Visit::fresh;
      }
    }
    return add(bucket, hash, passed, window, state, infos) ? Visit::fresh : Visit::out_of_memory;
  }

  std::size_t size() const { return entries_.size(); }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  struct Entry {
    std::uint64_t hash;
    State state;
    std::uint32_t passed;
    std::uint32_t next;  // the same but for the info calls
  };

  std::uint64_t* window_of(std::uint32_t entry) {
    return windows_.data() + std::size_t{entry} * window_words_;
  }
  InfoCount* infos_of(std::uint32_t entry) { return infos_.data() + std::size_t{entry} * classes_; }

  bool is_same(std::uint32_t entry, std::uint64_t hash, std::uint32_t passed, const std::uint64_t* window,
               const State& state) {
    const Entry& known = entries_[entry];
    return known.hash == hash && known.passed == passed &&
           std::equal(window, window + window_words_, window_of(entry)) &&
           (!Rules::memo_compares_states || known.state == state);
  }

  bool add(std::size_t bucket, std::uint64_t hash, std::uint32_t passed, const std::uint64_t* window,
           const State& state, const InfoCount* infos) {
    if (entries_.size() >= none || !budget_.make_room(entries_, 1) ||
        !budget_.make_room(windows_, window_words_) || !budget_.make_room(infos_, classes_)) {
      return false;
    }
    if constexpr (requires { state.extra_bytes(); }) {
      if (!budget_.take(state.extra_bytes())) {
        return false;
      }
    }
    heads_ += buckets_[bucket] == none ? 1 : 0;
    entries_.push_back({hash, state, passed, buckets_[bucket]});
    windows_.insert(windows_.end(), window, window + window_words_);
    infos_.insert(infos_.end(), infos, infos + classes_);
    buckets_[bucket] = static_cast<std::uint32_t>(entries_.size() - 1);
    require(windows_.size() == entries_.size() * window_words_ && infos_.size() == entries_.size() * classes_,
            "everything that was tried has its window and its info calls");
    return true;
  }

  bool rehash() {
    std::vector<std::uint32_t> larger;
    if (!budget_.make_room(larger, std::max<std::size_t>(64, 2 * buckets_.size()))) {
      return false;
    }
    larger.resize(std::max<std::size_t>(64, 2 * buckets_.size()), none);
    for (const std::uint32_t head : buckets_) {
      if (head == none) {
        continue;
      }
      std::size_t bucket = entries_[head].hash & (larger.size() - 1);
      while (larger[bucket] != none) {
        bucket = (bucket + 1) & (larger.size() - 1);
      }
      larger[bucket] = head;
    }
    budget_.give_back(buckets_.capacity() * sizeof(std::uint32_t));
    buckets_ = std::move(larger);
    return true;
  }

  std::size_t window_words_;
  std::size_t classes_;
  MemoryBudget& budget_;
  std::vector<Entry> entries_;
  std::vector<std::uint64_t> windows_;  // of each entry
  std::vector<InfoCount> infos_;        // of each entry
  std::vector<std::uint32_t> buckets_;
  std::size_t heads_ = 0;
};

}  // namespace holdfast::linear
