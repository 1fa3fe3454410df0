// Keys whatever they hold.
#include "harness/stores/redis/model/commands.h"
#include "harness/stores/redis/model/glob.h"

namespace holdfast::redis::commands {

Reply del(Call& call) {
  std::int64_t count = 0;
  for (std::size_t index = 1; index < call.size(); ++index) {
    if (call.database.find(call.word(index)) == nullptr) continue;
    call.database.erase(call.word(index));
    call.database.modified(call.word(index));
    ++count;
  }
  return Reply::integer(count);
}

Reply exists(Call& call) {
  std::int64_t count = 0;
  for (std::size_t index = 1; index < call.size(); ++index) {
    if (call.database.find(call.word(index)) != nullptr) ++count;
  }
  return Reply::integer(count);
}

Reply type(Call& call) {
  const Entry* const entry = call.database.find(call.key());
  return Reply::status(entry == nullptr ? "none" : type_name(entry->value));
}

// In the order of their bytes; a real server's order is that of a hash seeded at random.
Reply keys(Call& call) {
  std::vector<Reply> found;
  call.database.for_each_live([&](const std::string& key, const Entry&) {
    if (glob_matches(call.word(1), key)) found.push_back(Reply::bulk(key));
  });
  return Reply::array(std::move(found));
}

Reply dbsize(Call& call) {
  std::int64_t count = 0;
  call.database.for_each_live([&](const std::string&, const Entry&) { ++count; });
  return Reply::integer(count);
}

Reply flush(Call& call) {
  if (call.size() > 2) return syntax_error();
  if (call.size() == 2 && !is_option(call.word(1), "SYNC") && !is_option(call.word(1), "ASYNC")) {
    return syntax_error();
  }
  call.database.clear();
  call.database.modified({});
  return Reply::ok();
}

}  // namespace holdfast::redis::commands
