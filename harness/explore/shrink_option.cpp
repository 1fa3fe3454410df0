#include "harness/explore/shrink_option.h"

#include <algorithm>

namespace holdfast {
namespace {

// `holds_at` is less than `breaks_at`, and known not to do it.
void find_least(std::int64_t holds_at, std::int64_t breaks_at,
                const std::function<bool(std::int64_t)>& attempt) {
  while (breaks_at - holds_at > 1) {
    const std::int64_t middle = (breaks_at + holds_at) / 2;
    (attempt(middle) ? breaks_at : holds_at) = middle;
  }
}

void count_less(const Option& option, std::int64_t now, const TryOption& attempt) {
  const std::int64_t sign = now < 0 ? -1 : 1;
  const std::int64_t bound = sign < 0 ? -option.most : option.least;
  const std::int64_t least = std::max<std::int64_t>(option.why_not_zero.empty() ? 0 : 1, bound);
  find_least(least - 1, now * sign, [&](std::int64_t count) { return attempt(count * sign); });
}

}  // namespace

void shorten(const ScenarioDuration& now, Duration ttl, const TryDuration& attempt) {
  const Duration whole = now.resolve(ttl);
  const int sign = whole < Duration::zero() ? -1 : 1;
  const std::int64_t milliseconds = to_milliseconds(whole * sign);
  const auto try_milliseconds = [&](std::int64_t value) {
    return attempt(ScenarioDuration{std::chrono::milliseconds(value * sign), 0});
  };
  if (whole * sign == std::chrono::milliseconds(milliseconds) && try_milliseconds(milliseconds)) {
    find_least(0, milliseconds, try_milliseconds);
  }
}

void shrink_option(const Option& option, const OptionValue& now, Duration ttl, const TryOption& attempt) {
  if (now == usual_value(option)) {
    return;
  }
  if (is_duration(option.kind)) {
    shorten(std::get<ScenarioDuration>(now), ttl, attempt);
  } else if (option.kind == OptionKind::count) {
    count_less(option, std::get<std::int64_t>(now), attempt);
  } else if (!option.is_required) {
    attempt(usual_value(option));
  }
}

}  // namespace holdfast
