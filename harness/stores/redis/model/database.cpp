#include "harness/stores/redis/model/database.h"

#include <algorithm>

namespace holdfast::redis {

Entry* Database::find(std::string_view key) {
  Entry* const entry = keys_.find(key);
  if (entry == nullptr || !is_expired(*entry)) return entry;
  return find_expired(key, entry);
}

std::size_t Database::elements_at(std::string_view key) const {
  const auto place = keys_.entries().find(key);
  return place == keys_.entries().end() ? 0 : element_count(place->second.value);
}

Entry* Database::find_expired(std::string_view key, Entry* entry) {
  if (expiry_view_ == ExpiryView::applying) return entry;
  if (expiry_view_ == ExpiryView::primary) {
    const std::string name(key);  // `key` may live in the node that goes
    keys_.erase(name);
    ++expired_keys_;
    watches_.touch(name);
    if (log_.kept()) log_.append(make_command("DEL", name));
  }
  return nullptr;
}

Entry& Database::overwrite(std::string_view key, std::string_view text) {
  Entry* entry = find(key);
  if (entry == nullptr) entry = &keys_.insert(key);
  entry->expire_at_ms = Entry::never;
  if (auto* const present = std::get_if<std::string>(&entry->value)) {
    present->assign(text);
  } else {
    entry->value.emplace<std::string>(text);
  }
  return *entry;
}

void Database::expire_at(Entry& entry, std::int64_t at_ms) {
  constexpr std::size_t most_leases = 64;
  entry.expire_at_ms = at_ms;
  if (at_ms == Entry::never || expiry_view_ == ExpiryView::applying) return;
  const std::int64_t lease_ms = at_ms - now_ms();
  const auto place = std::ranges::lower_bound(leases_ms_, lease_ms);
  const bool is_known = place != leases_ms_.end() && *place == lease_ms;
  if (!is_known && leases_ms_.size() < most_leases) leases_ms_.insert(place, lease_ms);
}

void Database::clear() {
  for (const auto& [key, entry] : keys_.entries()) watches_.touch(key);
  keys_.clear();
}

void Database::modified(std::string_view key) {
  dirty_ = true;
  watches_.touch(key);
}

void Database::propagate(const Command& words) {
  if (!dirty_) return;
  dirty_ = false;
  log_.append(rewritten_ ? *rewritten_ : words);
  rewritten_.reset();
}

void Database::discard_effect() {
  dirty_ = false;
  rewritten_.reset();
}

}  // namespace holdfast::redis
