// Setting, dropping and asking for a key's expiry time.
#include "harness/stores/redis/model/commands.h"
#include "harness/stores/redis/model/expire_time.h"

namespace holdfast::redis::commands {
namespace {

struct Conditions {
  bool only_if_none = false;     // NX
  bool only_if_some = false;     // XX
  bool only_if_later = false;    // GT
  bool only_if_earlier = false;  // LT
  std::optional<Reply> error;

  bool allow(const Entry& entry, std::int64_t at_ms) const {
    if (only_if_none && entry.expires()) return false;
    if (only_if_some && !entry.expires()) return false;
    // No expiry time counts as infinitely late.
    if (only_if_later && at_ms <= entry.expire_at_ms) return false;
    return !only_if_earlier || at_ms < entry.expire_at_ms;
  }
};

Conditions parse_conditions(const Call& call) {
  Conditions conditions;
  for (std::size_t index = 3; index < call.size(); ++index) {
    const std::string& word = call.word(index);
    if (is_option(word, "NX")) {
      conditions.only_if_none = true;
    } else if (is_option(word, "XX")) {
      conditions.only_if_some = true;
    } else if (is_option(word, "GT")) {
      conditions.only_if_later = true;
    } else if (is_option(word, "LT")) {
      conditions.only_if_earlier = true;
    } else {
      conditions.error = Reply::error("ERR Unsupported option " + word);
      return conditions;
    }
  }
  if (conditions.only_if_none &&
      (conditions.only_if_some || conditions.only_if_later || conditions.only_if_earlier)) {
    conditions.error = Reply::error("ERR NX and XX, GT or LT options at the same time are not compatible");
  } else if (conditions.only_if_later && conditions.only_if_earlier) {
    conditions.error = Reply::error("ERR GT and LT options at the same time are not compatible");
  }
  return conditions;
}

Reply set_expiry(Call& call, ExpireUnit unit) {
  Conditions conditions = parse_conditions(call);
  if (conditions.error) return *std::move(conditions.error);
  ExpireTime expire = parse_expire_time(call, call.word(2), unit, std::numeric_limits<std::int64_t>::min());
  if (expire.error) return *std::move(expire.error);
  Entry* const entry = call.database.find(call.key());
  if (entry == nullptr || !conditions.allow(*entry, expire.at_ms)) return Reply::integer(0);
  call.database.modified(call.key());
  if (call.database.is_past(expire.at_ms)) {
    call.database.erase(call.key());
    call.database.propagate_as(make_command("DEL", call.key()));
  } else {
    call.database.expire_at(*entry, expire.at_ms);
    if (call.database.keeps_log()) {
      call.database.propagate_as(make_command("PEXPIREAT", call.key(), expire.at_ms));
    }
  }
  return Reply::integer(1);
}

constexpr std::int64_t no_such_key = -2;
constexpr std::int64_t no_expiry = -1;

std::int64_t to_seconds(std::int64_t milliseconds) {
  return (milliseconds + 500) / 1000;
}

// Absolute, or one of the two negative answers.
std::int64_t expiry_of_key(Call& call) {
  const Entry* const entry = call.database.find(call.key());
  if (entry == nullptr) return no_such_key;
  return entry->expires() ? entry->expire_at_ms : no_expiry;
}

}  // namespace

Reply expire(Call& call) {
  return set_expiry(call, {.seconds = true, .absolute = false});
}

Reply pexpire(Call& call) {
  return set_expiry(call, {.seconds = false, .absolute = false});
}

Reply expireat(Call& call) {
  return set_expiry(call, {.seconds = true, .absolute = true});
}

Reply pexpireat(Call& call) {
  return set_expiry(call, {.seconds = false, .absolute = true});
}

Reply persist(Call& call) {
  Entry* const entry = call.database.find(call.key());
  if (entry == nullptr || !entry->expires()) return Reply::integer(0);
  entry->expire_at_ms = Entry::never;
  call.database.modified(call.key());
  return Reply::integer(1);
}

Reply ttl(Call& call) {
  const std::int64_t at_ms = expiry_of_key(call);
  return Reply::integer(at_ms < 0 ? at_ms : to_seconds(at_ms - call.database.now_ms()));
}

Reply pttl(Call& call) {
  const std::int64_t at_ms = expiry_of_key(call);
  return Reply::integer(at_ms < 0 ? at_ms : at_ms - call.database.now_ms());
}

Reply expiretime(Call& call) {
  const std::int64_t at_ms = expiry_of_key(call);
  return Reply::integer(at_ms < 0 ? at_ms : to_seconds(at_ms));
}

Reply pexpiretime(Call& call) {
  return Reply::integer(expiry_of_key(call));
}

}  // namespace holdfast::redis::commands
