// Lists: what fair locks queue their waiters in.
#include "harness/stores/redis/model/command_table.h"
#include "harness/stores/redis/model/commands.h"
#include "harness/stores/redis/model/index_range.h"

namespace holdfast::redis::commands {
namespace {

enum class End : std::uint8_t { left, right };

Reply push(Call& call, End end) {
  if (call.database.find_as<List>(call.key()).wrong_type) return wrong_type();
  List& list = call.database.find_or_create<List>(call.key());
  for (std::size_t index = 2; index < call.size(); ++index) {
    if (end == End::left) {
      list.push_front(call.word(index));
    } else {
      list.push_back(call.word(index));
    }
  }
  call.database.modified(call.key());
  return Reply::integer(static_cast<std::int64_t>(list.size()));
}

Reply take(List& list, End end) {
  Reply element = Reply::bulk(std::move(end == End::left ? list.front() : list.back()));
  if (end == End::left) {
    list.pop_front();
  } else {
    list.pop_back();
  }
  return element;
}

Reply pop(Call& call, End end) {
  if (call.size() > 3) return wrong_arity(call.info.name);
  const bool counted = call.size() == 3;
  const std::optional<std::int64_t> wanted = counted ? call.integer(2) : 1;
  if (!wanted || *wanted < 0) return Reply::error("ERR value is out of range, must be positive");
  const auto [list, wrong] = call.database.find_as<List>(call.key());
  if (wrong) return wrong_type();
  if (list == nullptr) return Reply::nil();
  Reply popped = Reply::array({});
  for (std::int64_t count = 0; count < *wanted && !list->empty(); ++count) {
    popped.elements.push_back(take(*list, end));
  }
  if (!popped.elements.empty()) call.database.modified(call.key());
  call.database.erase_if_empty(call.key(), *list);
  return counted ? popped : std::move(popped.elements.front());
}

// Removes up to `limit` equal elements, from the left or from the right.
std::int64_t remove_equal(List& list, const std::string& element, std::int64_t limit, End from) {
  std::int64_t removed = 0;
  const std::size_t size = list.size();
  for (std::size_t step = 0; step < size && removed < limit; ++step) {
    const auto already = static_cast<std::size_t>(removed);
    const std::size_t index = from == End::left ? step - already : size - 1 - step;
    if (list[index] != element) continue;
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(index));
    ++removed;
  }
  return removed;
}

}  // namespace

Reply lpush(Call& call) {
  return push(call, End::left);
}

Reply rpush(Call& call) {
  return push(call, End::right);
}

Reply lpop(Call& call) {
  return pop(call, End::left);
}

Reply rpop(Call& call) {
  return pop(call, End::right);
}

Reply llen(Call& call) {
  const auto [list, wrong] = call.database.find_as<List>(call.key());
  if (wrong) return wrong_type();
  return Reply::integer(list == nullptr ? 0 : static_cast<std::int64_t>(list->size()));
}

Reply lrange(Call& call) {
  const std::optional<std::int64_t> start = call.integer(2);
  const std::optional<std::int64_t> stop = call.integer(3);
  if (!start || !stop) return not_an_integer();
  const auto [list, wrong] = call.database.find_as<List>(call.key());
  if (wrong) return wrong_type();
  std::vector<Reply> elements;
  if (list != nullptr) {
    const IndexRange range = resolve_range(*start, *stop, list->size());
    for (std::size_t index = range.first; index < range.last; ++index) {
      elements.push_back(Reply::bulk((*list)[index]));
    }
  }
  return Reply::array(std::move(elements));
}

Reply lindex(Call& call) {
  const auto [list, wrong] = call.database.find_as<List>(call.key());
  if (wrong) return wrong_type();
  if (list == nullptr) return Reply::nil();
  const std::optional<std::int64_t> wanted = call.integer(2);
  if (!wanted) return not_an_integer();
  const auto size = static_cast<std::int64_t>(list->size());
  const std::int64_t index = *wanted < 0 ? *wanted + size : *wanted;
  if (index < 0 || index >= size) return Reply::nil();
  return Reply::bulk((*list)[static_cast<std::size_t>(index)]);
}

Reply lrem(Call& call) {
  const std::optional<std::int64_t> count = call.integer(2);
  if (!count) return not_an_integer();
  const auto [list, wrong] = call.database.find_as<List>(call.key());
  if (wrong) return wrong_type();
  if (list == nullptr) return Reply::integer(0);
  constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
  // The smallest integer has no negative; it means "all", like its neighbour.
  const std::int64_t limit = *count > 0 ? *count : (*count == 0 || *count < -all ? all : -*count);
  const std::int64_t removed = remove_equal(*list, call.word(3), limit, *count < 0 ? End::right : End::left);
  if (removed > 0) call.database.modified(call.key());
  call.database.erase_if_empty(call.key(), *list);
  return Reply::integer(removed);
}

}  // namespace holdfast::redis::commands
