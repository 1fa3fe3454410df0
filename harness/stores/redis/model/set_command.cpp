// SET with its options, the commands that are SET under another name, and GETEX.
#include "harness/stores/redis/model/commands.h"
#include "harness/stores/redis/model/expire_time.h"

namespace holdfast::redis::commands {
namespace {

enum class ExpireOption : std::uint8_t { none, ex, px, exat, pxat, keep, persist };

struct SetOptions {
  bool only_if_absent = false;
  bool only_if_present = false;
  bool get = false;
  ExpireOption expire = ExpireOption::none;
  const std::string* expire_word = nullptr;
};

constexpr ExpireUnit unit_of(ExpireOption option) {
  return {option == ExpireOption::ex || option == ExpireOption::exat,
          option == ExpireOption::exat || option == ExpireOption::pxat};
}

ExpireOption timed_option(std::string_view word) {
  if (is_option(word, "PX")) return ExpireOption::px;
  if (is_option(word, "EX")) return ExpireOption::ex;
  if (is_option(word, "PXAT")) return ExpireOption::pxat;
  if (is_option(word, "EXAT")) return ExpireOption::exat;
  return ExpireOption::none;
}

// An expiry option stands alone, but may be repeated: the last one counts.
bool may_take(const SetOptions& options, ExpireOption wanted) {
  return options.expire == ExpireOption::none || options.expire == wanted;
}

bool parse_set_word(std::string_view word, SetOptions& options) {
  if (is_option(word, "NX") && !options.only_if_present) return options.only_if_absent = true;
  if (is_option(word, "XX") && !options.only_if_absent) return options.only_if_present = true;
  if (is_option(word, "GET")) return options.get = true;
  if (is_option(word, "KEEPTTL") && may_take(options, ExpireOption::keep)) {
    options.expire = ExpireOption::keep;
    return true;
  }
  return false;
}

bool parse_getex_word(std::string_view word, SetOptions& options) {
  if (!is_option(word, "PERSIST") || !may_take(options, ExpireOption::persist)) return false;
  options.expire = ExpireOption::persist;
  return true;
}

// False is a syntax error.
bool parse_options(const Call& call, std::size_t first, bool (*parse_word)(std::string_view, SetOptions&),
                   SetOptions& options) {
  for (std::size_t index = first; index < call.size(); ++index) {
    if (parse_word(call.word(index), options)) continue;
    const ExpireOption timed = timed_option(call.word(index));
    if (timed == ExpireOption::none || !may_take(options, timed) || index + 1 == call.size()) return false;
    options.expire = timed;
    options.expire_word = &call.word(++index);
  }
  return true;
}

void store(Call& call, const std::string& value, ExpireOption expire, std::int64_t at_ms) {
  Database& database = call.database;
  std::int64_t kept_until_ms = Entry::never;
  if (expire == ExpireOption::keep) {
    if (const Entry* const present = database.find(call.key())) kept_until_ms = present->expire_at_ms;
  }
  Entry& entry = database.overwrite(call.key(), value);
  const bool timed = expire != ExpireOption::none && expire != ExpireOption::keep;
  if (timed) {
    database.expire_at(entry, at_ms);
  } else {
    entry.expire_at_ms = kept_until_ms;
  }
  database.modified(call.key());
  if (!database.keeps_log()) return;
  if (timed) {
    database.propagate_as(make_command("SET", call.key(), value, "PXAT", at_ms));
  } else if (expire == ExpireOption::keep) {
    database.propagate_as(make_command("SET", call.key(), value, "KEEPTTL"));
  } else {
    database.propagate_as(make_command("SET", call.key(), value));
  }
}

Reply set_with_expiry(Call& call, ExpireOption option) {
  ExpireTime expire = parse_expire_time(call, call.word(2), unit_of(option), 1);
  if (expire.error) return *std::move(expire.error);
  store(call, call.word(3), option, expire.at_ms);
  return Reply::ok();
}

}  // namespace

Reply set(Call& call) {
  SetOptions options;
  if (!parse_options(call, 3, parse_set_word, options)) return syntax_error();
  std::int64_t at_ms = 0;
  if (options.expire_word != nullptr) {
    ExpireTime expire = parse_expire_time(call, *options.expire_word, unit_of(options.expire), 1);
    if (expire.error) return *std::move(expire.error);
    at_ms = expire.at_ms;
  }
  const Entry* const present = call.database.find(call.key());
  Reply previous;
  if (options.get && present != nullptr) {
    const auto* const text = std::get_if<std::string>(&present->value);
    if (text == nullptr) return wrong_type();
    previous = Reply::bulk(*text);
  }
  const bool refused = present != nullptr ? options.only_if_absent : options.only_if_present;
  if (refused) return previous;
  store(call, call.word(2), options.expire, at_ms);
  return options.get ? previous : Reply::ok();
}

Reply setnx(Call& call) {
  if (call.database.find(call.key()) != nullptr) return Reply::integer(0);
  store(call, call.word(2), ExpireOption::none, 0);
  return Reply::integer(1);
}

Reply setex(Call& call) {
  return set_with_expiry(call, ExpireOption::ex);
}

Reply psetex(Call& call) {
  return set_with_expiry(call, ExpireOption::px);
}

Reply getex(Call& call) {
  SetOptions options;
  if (!parse_options(call, 2, parse_getex_word, options)) return syntax_error();
  Entry* const entry = call.database.find(call.key());
  if (entry == nullptr) return Reply::nil();
  const auto* const text = std::get_if<std::string>(&entry->value);
  if (text == nullptr) return wrong_type();
  Reply value = Reply::bulk(*text);
  if (options.expire == ExpireOption::persist && entry->expires()) {
    entry->expire_at_ms = Entry::never;
    call.database.modified(call.key());
    call.database.propagate_as(make_command("PERSIST", call.key()));
  }
  if (options.expire_word == nullptr) return value;

  const ExpireUnit unit = unit_of(options.expire);
  ExpireTime expire = parse_expire_time(call, *options.expire_word, unit, 1);
  if (expire.error) return *std::move(expire.error);
  if (unit.absolute && call.database.is_past(expire.at_ms)) {
    call.database.erase(call.key());
    call.database.propagate_as(make_command("DEL", call.key()));
  } else {
    call.database.expire_at(*entry, expire.at_ms);
    call.database.propagate_as(make_command("PEXPIREAT", call.key(), expire.at_ms));
  }
  call.database.modified(call.key());
  return value;
}

}  // namespace holdfast::redis::commands
