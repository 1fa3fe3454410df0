// Sorted sets by member: fair locks keep each waiter's deadline in one.
#include <cmath>

#include "harness/stores/redis/model/commands.h"

namespace holdfast::redis::commands {
namespace {

struct AddOptions {
  bool only_new = false;       // NX
  bool only_present = false;   // XX
  bool only_greater = false;   // GT
  bool only_less = false;      // LT
  bool count_changed = false;  // CH
  bool increment = false;      // INCR
};

enum class Outcome : std::uint8_t { unchanged, added, updated, same_score, not_a_number };

// The index of the first score.
std::size_t parse_options(const Call& call, AddOptions& options) {
  std::size_t index = 2;
  for (; index < call.size(); ++index) {
    const std::string& word = call.word(index);
    if (is_option(word, "NX")) {
      options.only_new = true;
    } else if (is_option(word, "XX")) {
      options.only_present = true;
    } else if (is_option(word, "GT")) {
      options.only_greater = true;
    } else if (is_option(word, "LT")) {
      options.only_less = true;
    } else if (is_option(word, "CH")) {
      options.count_changed = true;
    } else if (is_option(word, "INCR")) {
      options.increment = true;
    } else {
      break;
    }
  }
  return index;
}

std::optional<Reply> incompatible(const AddOptions& options, std::size_t score_words) {
  if (score_words == 0 || score_words % 2 != 0) return syntax_error();
  if (options.only_new && options.only_present) {
    return Reply::error("ERR XX and NX options at the same time are not compatible");
  }
  if ((options.only_new && (options.only_greater || options.only_less)) ||
      (options.only_greater && options.only_less)) {
    return Reply::error("ERR GT, LT, and/or NX options at the same time are not compatible");
  }
  if (options.increment && score_words > 2) {
    return Reply::error("ERR INCR option supports a single increment-element pair");
  }
  return std::nullopt;
}

// `score` is what was asked for, and afterwards what the member has.
Outcome add_member(SortedSet& set, const AddOptions& options, const std::string& name, double& score) {
  const std::optional<double> present = set.score(name);
  if (!present) {
    if (options.only_present) return Outcome::unchanged;
    set.set(name, score);
    return Outcome::added;
  }
  if (options.only_new) return Outcome::unchanged;
  if (options.increment) score += *present;
  if (std::isnan(score)) return Outcome::not_a_number;
  if (options.only_less && score >= *present) return Outcome::unchanged;
  if (options.only_greater && score <= *present) return Outcome::unchanged;
  if (score == *present) return Outcome::same_score;
  set.set(name, score);
  return Outcome::updated;
}

struct Counts {
  std::int64_t added = 0;
  std::int64_t updated = 0;
  std::int64_t processed = 0;
};

Reply add_members(Call& call, const AddOptions& options, std::size_t first) {
  std::vector<double> scores;
  for (std::size_t index = first; index < call.size(); index += 2) {
    const std::optional<double> score = parse_double(call.word(index));
    if (!score) return not_a_float();
    scores.push_back(*score);
  }
  const auto [present, wrong] = call.database.find_as<SortedSet>(call.key());
  if (wrong) return wrong_type();
  if (present == nullptr && options.only_present) {
    return options.increment ? Reply::nil() : Reply::integer(0);
  }
  SortedSet& set = call.database.find_or_create<SortedSet>(call.key());
  Counts counts;
  for (std::size_t pair = 0; pair < scores.size(); ++pair) {
    const Outcome outcome = add_member(set, options, call.word(first + pair * 2 + 1), scores[pair]);
    if (outcome == Outcome::not_a_number) {
      return Reply::error("ERR resulting score is not a number (NaN)");
    }
    if (outcome == Outcome::added) ++counts.added;
    if (outcome == Outcome::updated) ++counts.updated;
    if (outcome != Outcome::unchanged) ++counts.processed;
  }
  if (counts.added + counts.updated > 0) call.database.modified(call.key());
  if (options.increment) {
    return counts.processed > 0 ? Reply::bulk(format_double(scores.front())) : Reply::nil();
  }
  return Reply::integer(counts.added + (options.count_changed ? counts.updated : 0));
}

Reply rank_of(Call& call, bool from_the_top) {
  const auto [set, wrong] = call.database.find_as<SortedSet>(call.key());
  if (wrong) return wrong_type();
  const std::optional<std::size_t> rank = set == nullptr ? std::nullopt : set->rank(call.word(2));
  if (!rank) return Reply::nil();
  return Reply::integer(static_cast<std::int64_t>(from_the_top ? set->members().size() - 1 - *rank : *rank));
}

}  // namespace

Reply zadd(Call& call) {
  AddOptions options;
  const std::size_t first = parse_options(call, options);
  if (std::optional<Reply> error = incompatible(options, call.size() - first)) return *std::move(error);
  return add_members(call, options, first);
}

Reply zincrby(Call& call) {
  AddOptions options;
  options.increment = true;
  return add_members(call, options, 2);
}

Reply zrem(Call& call) {
  const auto [set, wrong] = call.database.find_as<SortedSet>(call.key());
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

Reply zscore(Call& call) {
  const auto [set, wrong] = call.database.find_as<SortedSet>(call.key());
  if (wrong) return wrong_type();
  const std::optional<double> score = set == nullptr ? std::nullopt : set->score(call.word(2));
  return score ? Reply::bulk(format_double(*score)) : Reply::nil();
}

Reply zrank(Call& call) {
  return rank_of(call, false);
}

Reply zrevrank(Call& call) {
  return rank_of(call, true);
}

Reply zcard(Call& call) {
  const auto [set, wrong] = call.database.find_as<SortedSet>(call.key());
  if (wrong) return wrong_type();
  return Reply::integer(set == nullptr ? 0 : static_cast<std::int64_t>(set->members().size()));
}

}  // namespace holdfast::redis::commands
