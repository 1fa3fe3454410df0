// Strings beyond SET: reading, replacing, appending, counting.
#include <limits>

#include "harness/stores/redis/model/command_table.h"
#include "harness/stores/redis/model/commands.h"

namespace holdfast::redis::commands {
namespace {

Reply add(Call& call, std::int64_t amount) {
  const auto [text, wrong] = call.database.find_as<std::string>(call.key());
  if (wrong) return wrong_type();
  std::int64_t value = 0;
  if (text != nullptr) {
    const std::optional<std::int64_t> present = parse_integer(*text);
    if (!present) return not_an_integer();
    value = *present;
  }
  const std::optional<std::int64_t> sum = checked_add(value, amount);
  if (!sum) return would_overflow();
  call.database.find_or_create<std::string>(call.key()) = std::to_string(*sum);
  call.database.modified(call.key());
  return Reply::integer(*sum);
}

}  // namespace

Reply get(Call& call) {
  const auto [text, wrong] = call.database.find_as<std::string>(call.key());
  if (wrong) return wrong_type();
  return text == nullptr ? Reply::nil() : Reply::bulk(*text);
}

Reply getset(Call& call) {
  Reply previous = get(call);
  if (previous.is_error()) return previous;
  call.database.overwrite(call.key(), call.word(2));
  call.database.modified(call.key());
  if (call.database.keeps_log()) {
    call.database.propagate_as(make_command("SET", call.key(), call.word(2)));
  }
  return previous;
}

Reply getdel(Call& call) {
  Reply previous = get(call);
  if (previous.is_error() || previous.is_nil()) return previous;
  call.database.erase(call.key());
  call.database.modified(call.key());
  call.database.propagate_as(make_command("DEL", call.key()));
  return previous;
}

Reply mget(Call& call) {
  std::vector<Reply> values;
  for (std::size_t index = 1; index < call.size(); ++index) {
    const std::string* const text = call.database.find_as<std::string>(call.word(index)).value;
    values.push_back(text == nullptr ? Reply::nil() : Reply::bulk(*text));
  }
  return Reply::array(std::move(values));
}

Reply mset(Call& call) {
  if (call.size() % 2 == 0) return wrong_arity(call.info.name);
  for (std::size_t index = 1; index < call.size(); index += 2) {
    call.database.overwrite(call.word(index), call.word(index + 1));
    call.database.modified(call.word(index));
  }
  return Reply::ok();
}

Reply append(Call& call) {
  if (call.database.find_as<std::string>(call.key()).wrong_type) return wrong_type();
  std::string& text = call.database.find_or_create<std::string>(call.key());
  text += call.word(2);
  call.database.modified(call.key());
  return Reply::integer(static_cast<std::int64_t>(text.size()));
}

Reply strlen(Call& call) {
  const auto [text, wrong] = call.database.find_as<std::string>(call.key());
  if (wrong) return wrong_type();
  return Reply::integer(text == nullptr ? 0 : static_cast<std::int64_t>(text->size()));
}

Reply incr(Call& call) {
  return add(call, 1);
}

Reply decr(Call& call) {
  return add(call, -1);
}

Reply incrby(Call& call) {
  const std::optional<std::int64_t> amount = call.integer(2);
  return amount ? add(call, *amount) : not_an_integer();
}

Reply decrby(Call& call) {
  const std::optional<std::int64_t> amount = call.integer(2);
  if (!amount) return not_an_integer();
  if (*amount == std::numeric_limits<std::int64_t>::min()) {
    return Reply::error("ERR decrement would overflow");
  }
  return add(call, -*amount);
}

}  // namespace holdfast::redis::commands
