// Sets.
#include "harness/stores/redis/model/commands.h"

namespace holdfast::redis::commands {

Reply sadd(Call& call) {
  if (call.database.find_as<Set>(call.key()).wrong_type) return wrong_type();
  Set& set = call.database.find_or_create<Set>(call.key());
  std::int64_t added = 0;
  for (std::size_t index = 2; index < call.size(); ++index) {
    if (set.add(call.word(index))) ++added;
  }
  if (added > 0) call.database.modified(call.key());
  return Reply::integer(added);
}

Reply srem(Call& call) {
  const auto [set, wrong] = call.database.find_as<Set>(call.key());
  if (wrong) return wrong_type();
  if (set == nullptr) return Reply::integer(0);
  std::int64_t removed = 0;
  for (std::size_t index = 2; index < call.size(); ++index) {
    if (set->erase(call.word(index))) ++removed;
  }
  if (removed > 0) call.database.modified(call.key());
  call.database.erase_if_empty(call.key(), *set);
  return Reply::integer(removed);
}

Reply sismember(Call& call) {
  const auto [set, wrong] = call.database.find_as<Set>(call.key());
  if (wrong) return wrong_type();
  return Reply::integer(set != nullptr && set->contains(call.word(2)) ? 1 : 0);
}

Reply smembers(Call& call) {
  const auto [set, wrong] = call.database.find_as<Set>(call.key());
  if (wrong) return wrong_type();
  std::vector<Reply> members;
  if (set != nullptr) {
    for (const std::string& member : set->members()) members.push_back(Reply::bulk(member));
  }
  return Reply::array(std::move(members));
}

Reply scard(Call& call) {
  const auto [set, wrong] = call.database.find_as<Set>(call.key());
  if (wrong) return wrong_type();
  return Reply::integer(set == nullptr ? 0 : static_cast<std::int64_t>(set->members().size()));
}

}  // namespace holdfast::redis::commands
