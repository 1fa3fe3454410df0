#include "harness/stores/redis/mutate/call_site.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace holdfast::redis {
namespace {

// How much later than now plus a lease an end may stand that is one.
constexpr std::int64_t most_past_the_lease_ms = 1500;

std::optional<std::int64_t> number_in(std::string_view word) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<std::string> with_other_lease(std::string_view word, const MutationSeat& seat,
                                            std::int64_t factor_per_mille) {
  const std::optional<std::int64_t> number = number_in(word);
  const std::int64_t lease_ms = to_milliseconds(seat.lease());
  if (!number || lease_ms <= 0) {
    return std::nullopt;
  }
  const auto scaled = [&](std::int64_t lease) {
    return std::max<std::int64_t>(1, lease * factor_per_mille / 1000);
  };
  if (*number == lease_ms || *number == (lease_ms + 999) / 1000) {
    return fmt::format("{}", scaled(*number));
  }
  const std::int64_t left_ms =
      *number - to_milliseconds(seat.env().kernel().read_clock(seat.env().process(), ClockKind::wall));
  if (left_ms >= lease_ms && left_ms <= lease_ms + most_past_the_lease_ms) {
    return fmt::format("{}", *number - lease_ms + scaled(lease_ms));
  }
  return std::nullopt;
}

std::size_t first_own_word(const Command& command) {
  return command.front() == "EVAL" ? 3 : 1;
}

std::optional<std::string> with_other_thread(std::string_view word, const Env& env) {
  const std::string mine = env.thread_name();
  const std::size_t at = word.find(mine);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  std::string other(word);
  return other.replace(at, mine.size(), fmt::format("{}:{}", env.process_name(), env.thread() + 1));
}

}  // namespace holdfast::redis
