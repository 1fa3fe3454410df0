// The five kinds of values a key can hold.
//
// Made for what locks keep: tens of elements, seldom hundreds. So a hash, a set and a sorted set are
// plain vectors, searched from the front, and order is always defined:
//   hash        in order of insertion, as a real server keeps it up to 128 fields of 64 bytes;
//   set         of integers: ascending, as a real server keeps it up to 512; others: in order of
//               insertion (a real server's order is that of a hash seeded at random);
//   sorted set  by score, then by the bytes of the member.
#pragma once

#include <boost/container/devector.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace holdfast::redis {

class Hash {
 public:
  struct Field {
    std::string name;
    std::string value;
  };

  std::string* find(std::string_view name);
  // True when the field is new.
  bool set(std::string_view name, std::string value);
  bool erase(std::string_view name);
  bool empty() const { return fields_.empty(); }
  const std::vector<Field>& fields() const { return fields_; }

 private:
  std::vector<Field> fields_;
};

using List = boost::container::devector<std::string>;

class Set {
 public:
  bool contains(std::string_view member) const;
  // True when the member is new.
  bool add(std::string_view member);
  bool erase(std::string_view member);
  bool empty() const { return members_.empty(); }
  const std::vector<std::string>& members() const { return members_; }

 private:
  std::vector<std::string> members_;
  bool only_integers_ = true;  // once false it stays so, as an intset never comes back
};

class SortedSet {
 public:
  struct Member {
    double score;
    std::string name;
  };

  std::optional<double> score(std::string_view name) const;
  std::optional<std::size_t> rank(std::string_view name) const;
  // Adds the member or moves it to its new score.
  void set(std::string_view name, double score);
  bool erase(std::string_view name);
  // Ranks [first, last).
  void erase_ranks(std::size_t first, std::size_t last);
  bool empty() const { return members_.empty(); }
  const std::vector<Member>& members() const { return members_; }

 private:
  std::vector<Member> members_;  // sorted by (score, name)
};

using Value = std::variant<std::string, Hash, List, SortedSet, Set>;

// Of a string: 1.
std::size_t element_count(const Value& value);

// What TYPE answers: "string", "hash", "list", "zset", "set".
std::string_view type_name(const Value& value);

}  // namespace holdfast::redis
