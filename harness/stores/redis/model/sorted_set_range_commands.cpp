// Sorted sets by rank and by score.
#include <cmath>
#include <cstdlib>

#include "harness/stores/redis/model/commands.h"
#include "harness/stores/redis/model/index_range.h"

namespace holdfast::redis::commands {
namespace {

struct Bound {
  double score = 0;
  bool exclusive = false;  // written "(1.5"
};

struct ScoreRange {
  Bound min;
  Bound max;
};

struct RangeOptions {
  bool by_score = false;
  bool by_lex = false;
  bool reversed = false;
  bool with_scores = false;
  bool limited = false;
  std::int64_t offset = 0;
  std::int64_t limit = -1;  // negative: no limit
  std::optional<Reply> error;
};

// More lenient than other floats, as in Redis: blanks in front and an empty number (zero) will do.
std::optional<Bound> parse_bound(const std::string& word) {
  const bool exclusive = word.starts_with('(');
  const char* const digits = word.c_str() + (exclusive ? 1 : 0);
  char* stop = nullptr;
  const double score = std::strtod(digits, &stop);
  if (*stop != '\0' || std::isnan(score)) return std::nullopt;
  return Bound{score, exclusive};
}

std::optional<ScoreRange> parse_score_range(const std::string& min_word, const std::string& max_word) {
  const std::optional<Bound> min = parse_bound(min_word);
  const std::optional<Bound> max = parse_bound(max_word);
  if (!min || !max) return std::nullopt;
  return ScoreRange{*min, *max};
}

Reply not_a_range() {
  return Reply::error("ERR min or max is not a float");
}

// Members lie in order of score, so those in range are neighbours.
IndexRange ranks_in(const SortedSet& set, const ScoreRange& range) {
  const auto below = [&](const SortedSet::Member& member) {
    return range.min.exclusive ? member.score <= range.min.score : member.score < range.min.score;
  };
  const auto not_above = [&](const SortedSet::Member& member) {
    return range.max.exclusive ? member.score < range.max.score : member.score <= range.max.score;
  };
  const auto& members = set.members();
  std::size_t first = 0;
  while (first < members.size() && below(members[first])) ++first;
  std::size_t last = first;
  while (last < members.size() && not_above(members[last])) ++last;
  return {first, last};
}

// `general` is ZRANGE, which alone may say BYSCORE, BYLEX and REV, each once.
RangeOptions parse_options(const Call& call, bool general, RangeOptions options) {
  for (std::size_t index = 4; index < call.size(); ++index) {
    const std::string& word = call.word(index);
    const bool by_value = options.by_score || options.by_lex;
    if (is_option(word, "WITHSCORES")) {
      options.with_scores = true;
    } else if (is_option(word, "LIMIT") && index + 2 < call.size()) {
      const std::optional<std::int64_t> offset = call.integer(index + 1);
      const std::optional<std::int64_t> limit = call.integer(index + 2);
      if (!offset || !limit) {
        options.error = not_an_integer();
        return options;
      }
      options.offset = *offset;
      options.limit = *limit;
      options.limited = *limit != -1;
      index += 2;
    } else if (general && !options.reversed && is_option(word, "REV")) {
      options.reversed = true;
    } else if (general && !by_value && is_option(word, "BYSCORE")) {
      options.by_score = true;
    } else if (general && !by_value && is_option(word, "BYLEX")) {
      options.by_lex = true;
    } else {
      options.error = syntax_error();
      return options;
    }
  }
  if (options.by_lex) {
    options.error = Reply::error("ERR holdfast's model of Redis has no BYLEX");
  } else if (options.limited && !options.by_score) {
    options.error =
        Reply::error("ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX");
  }
  return options;
}

Reply list_members(const SortedSet& set, IndexRange range, const RangeOptions& options) {
  std::vector<Reply> elements;
  const std::size_t size = range.last - range.first;
  const bool beyond = options.offset < 0 || static_cast<std::uint64_t>(options.offset) >= size;
  std::size_t step = beyond ? size : static_cast<std::size_t>(options.offset);
  for (std::int64_t left = options.limit; step < size && left != 0; ++step, --left) {
    const std::size_t rank = options.reversed ? range.last - 1 - step : range.first + step;
    elements.push_back(Reply::bulk(set.members()[rank].name));
    if (options.with_scores) elements.push_back(Reply::bulk(format_double(set.members()[rank].score)));
  }
  return Reply::array(std::move(elements));
}

Reply list_by_score(Call& call, const RangeOptions& options) {
  const std::optional<ScoreRange> range = parse_score_range(call.word(options.reversed ? 3 : 2),  //
                                                            call.word(options.reversed ? 2 : 3));
  if (!range) return not_a_range();
  const auto [set, wrong] = call.database.find_as<SortedSet>(call.key());
  if (wrong) return wrong_type();
  if (set == nullptr) return Reply::array({});
  return list_members(*set, ranks_in(*set, *range), options);
}

Reply list_by_rank(Call& call, RangeOptions options) {
  options.offset = 0;  // "LIMIT 3 -1" passes for no limit, and its offset counts for nothing
  const std::optional<std::int64_t> start = call.integer(2);
  const std::optional<std::int64_t> stop = call.integer(3);
  if (!start || !stop) return not_an_integer();
  const auto [set, wrong] = call.database.find_as<SortedSet>(call.key());
  if (wrong) return wrong_type();
  if (set == nullptr) return Reply::array({});
  const std::size_t size = set->members().size();
  IndexRange range = resolve_range(*start, *stop, size);
  if (options.reversed) range = {size - range.last, size - range.first};
  return list_members(*set, range, options);
}

Reply list_range(Call& call, bool general, RangeOptions options) {
  options = parse_options(call, general, std::move(options));
  if (options.error) return *std::move(options.error);
  return options.by_score ? list_by_score(call, options) : list_by_rank(call, std::move(options));
}

Reply remove_ranks(Call& call, SortedSet& set, IndexRange range) {
  if (!range.empty()) {
    set.erase_ranks(range.first, range.last);
    call.database.modified(call.key());
    call.database.erase_if_empty(call.key(), set);
  }
  return Reply::integer(static_cast<std::int64_t>(range.last - range.first));
}

}  // namespace

Reply zrange(Call& call) {
  return list_range(call, true, {});
}

Reply zrevrange(Call& call) {
  RangeOptions options;
  options.reversed = true;
  return list_range(call, false, std::move(options));
}

Reply zrangebyscore(Call& call) {
  RangeOptions options;
  options.by_score = true;
  return list_range(call, false, std::move(options));
}

Reply zrevrangebyscore(Call& call) {
  RangeOptions options;
  options.by_score = true;
  options.reversed = true;
  return list_range(call, false, std::move(options));
}

Reply zcount(Call& call) {
  const std::optional<ScoreRange> range = parse_score_range(call.word(2), call.word(3));
  if (!range) return not_a_range();
  const auto [set, wrong] = call.database.find_as<SortedSet>(call.key());
  if (wrong) return wrong_type();
  if (set == nullptr) return Reply::integer(0);
  const IndexRange ranks = ranks_in(*set, *range);
  return Reply::integer(static_cast<std::int64_t>(ranks.last - ranks.first));
}

Reply zremrangebyscore(Call& call) {
  const std::optional<ScoreRange> range = parse_score_range(call.word(2), call.word(3));
  if (!range) return not_a_range();
  const auto [set, wrong] = call.database.find_as<SortedSet>(call.key());
  if (wrong) return wrong_type();
  if (set == nullptr) return Reply::integer(0);
  return remove_ranks(call, *set, ranks_in(*set, *range));
}

Reply zremrangebyrank(Call& call) {
  const std::optional<std::int64_t> start = call.integer(2);
  const std::optional<std::int64_t> stop = call.integer(3);
  if (!start || !stop) return not_an_integer();
  const auto [set, wrong] = call.database.find_as<SortedSet>(call.key());
  if (wrong) return wrong_type();
  if (set == nullptr) return Reply::integer(0);
  return remove_ranks(call, *set, resolve_range(*start, *stop, set->members().size()));
}

}  // namespace holdfast::redis::commands
