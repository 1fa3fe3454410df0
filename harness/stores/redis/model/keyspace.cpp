#include "harness/stores/redis/model/keyspace.h"

#include <utility>

#include "harness/kernel/require.h"

namespace holdfast::redis {

Entry* Keyspace::find(std::string_view key) {
  const auto place = entries_.find(key);
  return place == entries_.end() ? nullptr : &place->second;
}

Entry& Keyspace::insert(std::string_view key) {
  if (spare_nodes_.empty()) return entries_.emplace(key, Entry{}).first->second;
  Map::node_type node = std::move(spare_nodes_.back());
  spare_nodes_.pop_back();
  node.key().assign(key);
  auto place = entries_.insert(std::move(node));
  require(place.inserted, "a key that is inserted was absent");
  return place.position->second;
}

bool Keyspace::erase(std::string_view key) {
  const auto place = entries_.find(key);
  if (place == entries_.end()) return false;
  recycle(entries_.extract(place));
  return true;
}

void Keyspace::clear() {
  while (!entries_.empty()) recycle(entries_.extract(entries_.begin()));
}

void Keyspace::recycle(Map::node_type node) {
  constexpr std::size_t spare_nodes_max = 64;
  if (spare_nodes_.size() >= spare_nodes_max) return;
  if (auto* const text = std::get_if<std::string>(&node.mapped().value)) {
    text->clear();
  } else {
    node.mapped().value.emplace<std::string>();
  }
  node.mapped().expire_at_ms = Entry::never;
  spare_nodes_.push_back(std::move(node));
}

}  // namespace holdfast::redis
