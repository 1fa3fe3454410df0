#include "harness/stores/redis/model/values.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>
#include <utility>

#include "harness/stores/redis/model/numbers.h"

namespace holdfast::redis {

std::string* Hash::find(std::string_view name) {
  for (Field& field : fields_) {
    if (field.name == name) return &field.value;
  }
  return nullptr;
}

bool Hash::set(std::string_view name, std::string value) {
  if (std::string* const present = find(name)) {
    *present = std::move(value);
    return false;
  }
  fields_.push_back({std::string(name), std::move(value)});
  return true;
}

bool Hash::erase(std::string_view name) {
  return std::erase_if(fields_, [name](const Field& field) { return field.name == name; }) > 0;
}

bool Set::contains(std::string_view member) const {
  return std::find(members_.begin(), members_.end(), member) != members_.end();
}

bool Set::add(std::string_view member) {
  if (contains(member)) return false;
  const std::optional<std::int64_t> number = parse_integer(member);
  only_integers_ = only_integers_ && number.has_value();
  auto place = members_.end();
  if (only_integers_) {
    place = std::find_if(members_.begin(), members_.end(),
                         [number](const std::string& present) { return *parse_integer(present) > *number; });
  }
  members_.emplace(place, member);
  return true;
}

bool Set::erase(std::string_view member) {
  return std::erase(members_, member) > 0;
}

std::optional<double> SortedSet::score(std::string_view name) const {
  const std::optional<std::size_t> place = rank(name);
  if (!place) return std::nullopt;
  return members_[*place].score;
}

std::optional<std::size_t> SortedSet::rank(std::string_view name) const {
  for (std::size_t index = 0; index < members_.size(); ++index) {
    if (members_[index].name == name) return index;
  }
  return std::nullopt;
}

void SortedSet::set(std::string_view name, double score) {
  erase(name);
  const auto place = std::find_if(members_.begin(), members_.end(), [&](const Member& present) {
    return std::tuple<double, std::string_view>(present.score, present.name) >
           std::tuple<double, std::string_view>(score, name);
  });
  members_.insert(place, Member{score, std::string(name)});
}

bool SortedSet::erase(std::string_view name) {
  return std::erase_if(members_, [name](const Member& member) { return member.name == name; }) > 0;
}

void SortedSet::erase_ranks(std::size_t first, std::size_t last) {
  members_.erase(std::next(members_.begin(), static_cast<std::ptrdiff_t>(first)),
                 std::next(members_.begin(), static_cast<std::ptrdiff_t>(last)));
}

std::size_t element_count(const Value& value) {
  struct Counter {
    std::size_t operator()(const std::string&) const { return 1; }
    std::size_t operator()(const Hash& hash) const { return hash.fields().size(); }
    std::size_t operator()(const List& list) const { return list.size(); }
    std::size_t operator()(const SortedSet& set) const { return set.members().size(); }
    std::size_t operator()(const Set& set) const { return set.members().size(); }
  };
  return std::visit(Counter{}, value);
}

std::string_view type_name(const Value& value) {
  constexpr std::array<std::string_view, 5> names = {"string", "hash", "list", "zset", "set"};
  return names[value.index()];
}

}  // namespace holdfast::redis
