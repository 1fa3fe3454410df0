// Numbers for names, from 0 in order of appearance: a small hash table with open addressing.
//
// Looking up a name that is known allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

class NameTable {
 public:
  NameTable();

  std::uint32_t number_of(std::string_view name);
  const std::string& name(std::uint32_t number) const { return names_[number]; }
  // By number.
  const std::vector<std::string>& names() const { return names_; }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number_plus_one = 0;  // 0: free
  };

  std::uint32_t add(std::string_view name, std::uint32_t hash);
  void grow();

  std::vector<Slot> slots_;  // a power of two of them, at most half of them taken
  std::vector<std::string> names_;
};

// The same for pairs of numbers.
class PairTable {
 public:
  PairTable();

  // `added` says whether the pair is new.
  std::uint32_t number_of(std::uint32_t first, std::uint32_t second, bool& added);
  std::optional<std::uint32_t> find(std::uint32_t first, std::uint32_t second) const;

 private:
  struct Slot {
    std::uint64_t pair = 0;
    std::uint32_t number_plus_one = 0;  // 0: free
  };

  // The slot that has the pair, or the free one where it belongs.
  std::size_t slot_of(std::uint64_t pair) const;
  void grow();

  std::vector<Slot> slots_;
  std::uint32_t count_ = 0;
};

}  // namespace holdfast
