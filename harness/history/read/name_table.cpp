#include "harness/history/read/name_table.h"

#include <cstring>

namespace holdfast {
namespace {

constexpr std::size_t first_slots = 64;

// Multiplication spreads low bits upwards, the shift brings them back down. The constant is 2^64 divided by
// the golden ratio, as Knuth proposes for multiplicative hashing.
std::uint64_t scrambled(std::uint64_t value) {
  value *= 0x9e3779b97f4a7c15U;
  return value ^ (value >> 32U);
}

std::uint32_t hash_of(std::string_view name) {
  std::uint64_t hash = name.size();
  const char* at = name.data();
  std::size_t left = name.size();
  for (; left >= 8; left -= 8, at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    hash = scrambled(hash ^ word);
  }
  std::uint64_t word = 0;
  for (; left > 0; --left, ++at) {
    word = (word << 8U) | static_cast<unsigned char>(*at);
  }
  return static_cast<std::uint32_t>(scrambled(hash ^ word));
}

}  // namespace

NameTable::NameTable() : slots_(first_slots) {}

std::uint32_t NameTable::number_of(std::string_view name) {
  const std::uint32_t hash = hash_of(name);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t index = hash & mask; slots_[index].number_plus_one != 0; index = (index + 1) & mask) {
    const Slot& slot = slots_[index];
    if (slot.hash == hash && names_[slot.number_plus_one - 1] == name) {
      return slot.number_plus_one - 1;
    }
  }
  return add(name, hash);
}

std::uint32_t NameTable::add(std::string_view name, std::uint32_t hash) {
  if (names_.size() * 2 >= slots_.size()) {
    grow();
  }
  const std::size_t mask = slots_.size() - 1;
  std::size_t index = hash & mask;
  while (slots_[index].number_plus_one != 0) {
    index = (index + 1) & mask;
  }
  names_.emplace_back(name);
  slots_[index] = {hash, static_cast<std::uint32_t>(names_.size())};
  return static_cast<std::uint32_t>(names_.size() - 1);
}

void NameTable::grow() {
  std::vector<Slot> larger(slots_.size() * 2);
  const std::size_t mask = larger.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.number_plus_one == 0) {
      continue;
    }
    std::size_t index = slot.hash & mask;
    while (larger[index].number_plus_one != 0) {
      index = (index + 1) & mask;
    }
    larger[index] = slot;
  }
  slots_ = std::move(larger);
}

namespace {

std::uint64_t pair_of(std::uint32_t first, std::uint32_t second) {
  return (std::uint64_t{first} << 32U) | second;
}

}  // namespace

PairTable::PairTable() : slots_(first_slots) {}

std::size_t PairTable::slot_of(std::uint64_t pair) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t index = scrambled(pair) & mask;
  while (slots_[index].number_plus_one != 0 && slots_[index].pair != pair) {
    index = (index + 1) & mask;
  }
  return index;
}

std::optional<std::uint32_t> PairTable::find(std::uint32_t first, std::uint32_t second) const {
  const Slot& slot = slots_[slot_of(pair_of(first, second))];
  return slot.number_plus_one == 0 ? std::nullopt : std::optional(slot.number_plus_one - 1);
}

std::uint32_t PairTable::number_of(std::uint32_t first, std::uint32_t second, bool& added) {
  const std::uint64_t pair = pair_of(first, second);
  Slot& slot = slots_[slot_of(pair)];
  added = slot.number_plus_one == 0;
  if (!added) {
    return slot.number_plus_one - 1;
  }
  slot = {pair, ++count_};
  if (std::size_t{count_} * 2 >= slots_.size()) {
    grow();
  }
  return count_ - 1;
}

void PairTable::grow() {
  std::vector<Slot> larger(slots_.size() * 2);
  const std::size_t mask = larger.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.number_plus_one == 0) {
      continue;
    }
    std::size_t index = scrambled(slot.pair) & mask;
    while (larger[index].number_plus_one != 0) {
      index = (index + 1) & mask;
    }
    larger[index] = slot;
  }
  slots_ = std::move(larger);
}

}  // namespace holdfast
