// The data set as a command sees it: keys that have expired are gone, and every change is noted.
//
// Expiry is passive and exact to the millisecond: a key with expiry time t is there while the wall
// clock says t and gone at t + 1 ms. There is no background cycle; nothing but DBSIZE could tell, and
// that counts only what is still alive. The clock stands still during one command, so also during
// one script.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/stores/redis/command.h"
#include "harness/stores/redis/model/keyspace.h"
#include "harness/stores/redis/model/replication_log.h"
#include "harness/stores/redis/model/watch_list.h"

namespace holdfast::redis {

// How a key past its time is treated.
enum class ExpiryView : std::uint8_t {
  primary,   // deleted, and the deletion goes into the stream
  replica,   // answered as absent, but kept until the primary's DEL arrives
  applying,  // still there: the stream decides (a replica's input, or an append-only file at load)
};

// What a typed look-up found: the value, nothing, or a value of another type.
template <typename T>
struct Found {
  T* value = nullptr;
  bool wrong_type = false;
};

class Database {
 public:
  explicit Database(ReplicationLog& log) : log_(log) {}

  void set_clock(std::int64_t wall_us) { now_us_ = wall_us; }
  std::int64_t now_us() const { return now_us_; }
  std::int64_t now_ms() const { return now_us_ / 1000; }
  ExpiryView expiry_view() const { return expiry_view_; }
  void set_expiry_view(ExpiryView view) { expiry_view_ = view; }

  Entry* find(std::string_view key);
  // Those that expired and were not looked for since count, too.
  std::size_t key_count() const { return keys_.entries().size(); }
  // Of the value under the key; 0: there is none.
  std::size_t elements_at(std::string_view key) const;
  template <typename T>
  Found<T> find_as(std::string_view key);
  // The value under the key, created empty when it is absent. The type must be right.
  template <typename T>
  T& find_or_create(std::string_view key);
  // Replaces whatever the key holds, its expiry time included.
  Entry& overwrite(std::string_view key, std::string_view text);
  bool erase(std::string_view key) { return keys_.erase(key); }
  // A hash, list or set without elements is no key.
  template <typename T>
  void erase_if_empty(std::string_view key, const T& value);
  void clear();
  // Keys in order, those past their time left out.
  template <typename Visit>
  void for_each_live(Visit visit) const;
  // All of them.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (const auto& [key, entry] : keys_.entries()) visit(key, entry);
  }

  // The key is to go at this time; never: not by itself.
  void expire_at(Entry& entry, std::int64_t at_ms);
  // How long the keys that commands gave a time to live had it then, in milliseconds: each length once,
  // ascending. With very many, the first of them.
  const std::vector<std::int64_t>& leases_ms() const { return leases_ms_; }
  void forget_leases() { leases_ms_.clear(); }

  // Every handler that changed a key says so: it makes the command an effect and wakes WATCH.
  void modified(std::string_view key);
  // The effect to propagate instead of the command's own words.
  void propagate_as(Command effect) { rewritten_ = std::move(effect); }
  // Called when a command has run: writes its effect, if it had one, into the log.
  void propagate(const Command& words);
  // Called instead when the command was itself an effect.
  void discard_effect();

  // True when a deadline of a key being set lies in the past already (never while applying).
  bool is_past(std::int64_t at_ms) const { return expiry_view_ == ExpiryView::primary && at_ms <= now_ms(); }
  bool keeps_log() const { return log_.kept(); }
  WatchList& watches() { return watches_; }

  // How many keys were found expired.
  std::uint64_t expired_keys() const { return expired_keys_; }

 private:
  bool is_expired(const Entry& entry) const { return now_ms() > entry.expire_at_ms; }
  Entry* find_expired(std::string_view key, Entry* entry);

  ReplicationLog& log_;
  std::uint64_t expired_keys_ = 0;
  std::vector<std::int64_t> leases_ms_;
  Keyspace keys_;
  WatchList watches_;
  std::int64_t now_us_ = 0;
  ExpiryView expiry_view_ = ExpiryView::primary;
  bool dirty_ = false;
  std::optional<Command> rewritten_;
};

template <typename T>
Found<T> Database::find_as(std::string_view key) {
  Entry* const entry = find(key);
  if (entry == nullptr) return {};
  T* const value = std::get_if<T>(&entry->value);
  return {value, value == nullptr};
}

template <typename T>
T& Database::find_or_create(std::string_view key) {
  if (Entry* const entry = find(key)) return std::get<T>(entry->value);
  return keys_.insert(key).value.emplace<T>();
}

template <typename T>
void Database::erase_if_empty(std::string_view key, const T& value) {
  if (value.empty()) keys_.erase(key);
}

template <typename Visit>
void Database::for_each_live(Visit visit) const {
  for (const auto& [key, entry] : keys_.entries()) {
    if (!is_expired(entry)) visit(key, entry);
  }
}

}  // namespace holdfast::redis
