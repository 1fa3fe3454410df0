// Hashes: what re-entrant locks count their owners in.
#include "harness/stores/redis/model/command_table.h"
#include "harness/stores/redis/model/commands.h"

namespace holdfast::redis::commands {
namespace {

// Sets all pairs; the number of new fields, or an error.
Reply set_fields(Call& call) {
  if (call.size() % 2 != 0) return wrong_arity(call.info.name);
  if (call.database.find_as<Hash>(call.key()).wrong_type) return wrong_type();
  Hash& hash = call.database.find_or_create<Hash>(call.key());
  std::int64_t created = 0;
  for (std::size_t index = 2; index < call.size(); index += 2) {
    if (hash.set(call.word(index), call.word(index + 1))) ++created;
  }
  call.database.modified(call.key());
  return Reply::integer(created);
}

Reply field_or_nil(Hash* hash, std::string_view name) {
  const std::string* const value = hash == nullptr ? nullptr : hash->find(name);
  return value == nullptr ? Reply::nil() : Reply::bulk(*value);
}

Reply all_fields(Call& call, bool names, bool values) {
  const auto [hash, wrong] = call.database.find_as<Hash>(call.key());
  if (wrong) return wrong_type();
  std::vector<Reply> elements;
  if (hash != nullptr) {
    for (const Hash::Field& field : hash->fields()) {
      if (names) elements.push_back(Reply::bulk(field.name));
      if (values) elements.push_back(Reply::bulk(field.value));
    }
  }
  return Reply::array(std::move(elements));
}

}  // namespace

Reply hset(Call& call) {
  return set_fields(call);
}

Reply hmset(Call& call) {
  Reply reply = set_fields(call);
  if (!reply.is_error()) reply = Reply::ok();
  return reply;
}

Reply hsetnx(Call& call) {
  const auto [hash, wrong] = call.database.find_as<Hash>(call.key());
  if (wrong) return wrong_type();
  if (hash != nullptr && hash->find(call.word(2)) != nullptr) return Reply::integer(0);
  call.database.find_or_create<Hash>(call.key()).set(call.word(2), call.word(3));
  call.database.modified(call.key());
  return Reply::integer(1);
}

Reply hget(Call& call) {
  const auto [hash, wrong] = call.database.find_as<Hash>(call.key());
  return wrong ? wrong_type() : field_or_nil(hash, call.word(2));
}

Reply hmget(Call& call) {
  const auto [hash, wrong] = call.database.find_as<Hash>(call.key());
  if (wrong) return wrong_type();
  std::vector<Reply> values;
  for (std::size_t index = 2; index < call.size(); ++index) {
    values.push_back(field_or_nil(hash, call.word(index)));
  }
  return Reply::array(std::move(values));
}

Reply hdel(Call& call) {
  const auto [hash, wrong] = call.database.find_as<Hash>(call.key());
  if (wrong) return wrong_type();
  if (hash == nullptr) return Reply::integer(0);
  std::int64_t count = 0;
  for (std::size_t index = 2; index < call.size(); ++index) {
    if (hash->erase(call.word(index))) ++count;
  }
  if (count > 0) call.database.modified(call.key());
  call.database.erase_if_empty(call.key(), *hash);
  return Reply::integer(count);
}

Reply hexists(Call& call) {
  const auto [hash, wrong] = call.database.find_as<Hash>(call.key());
  if (wrong) return wrong_type();
  return Reply::integer(hash != nullptr && hash->find(call.word(2)) != nullptr ? 1 : 0);
}

Reply hincrby(Call& call) {
  const std::optional<std::int64_t> amount = call.integer(3);
  if (!amount) return not_an_integer();
  const auto [hash, wrong] = call.database.find_as<Hash>(call.key());
  if (wrong) return wrong_type();
  std::int64_t value = 0;
  const std::string* const text = hash == nullptr ? nullptr : hash->find(call.word(2));
  if (text != nullptr) {
    const std::optional<std::int64_t> present = parse_integer(*text);
    if (!present) return Reply::error("ERR hash value is not an integer");
    value = *present;
  }
  const std::optional<std::int64_t> sum = checked_add(value, *amount);
  if (!sum) return would_overflow();
  call.database.find_or_create<Hash>(call.key()).set(call.word(2), std::to_string(*sum));
  call.database.modified(call.key());
  return Reply::integer(*sum);
}

Reply hlen(Call& call) {
  const auto [hash, wrong] = call.database.find_as<Hash>(call.key());
  if (wrong) return wrong_type();
  return Reply::integer(hash == nullptr ? 0 : static_cast<std::int64_t>(hash->fields().size()));
}

Reply hgetall(Call& call) {
  return all_fields(call, true, true);
}

Reply hkeys(Call& call) {
  return all_fields(call, true, false);
}

Reply hvals(Call& call) {
  return all_fields(call, false, true);
}

}  // namespace holdfast::redis::commands
