#include "harness/run/standstill.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace holdfast {
namespace {

// Of a window, at the most: what repeats itself says little.
constexpr std::size_t most_exchanges = 2'000;
// How far a number may lie beyond those seen before. A lease in milliseconds is read a little sooner or later
// within its round; one that runs out falls by far more from window to window, also in whole seconds.
constexpr std::int64_t number_slack = 10;
// After all has come, for what came last to be answered.
constexpr Duration answering_time = 3s;
constexpr Duration least_window = 10s;
// Requests that were made in a window and not carried out in it.
constexpr std::uint64_t most_under_way = 8;

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

// Closer to the present than this a number is a time of day: of one in milliseconds twelve days, and of one
// in seconds.
constexpr std::int64_t near_in_milliseconds = 1'000'000'000;
constexpr std::int64_t near_in_seconds = 1'000'000;

enum class Numbers : std::uint8_t { all, times_of_day };

// The text without its numbers, or only without those that are times of day, which are put into the list.
void split(std::string_view text, Numbers which, std::int64_t wall_ms, std::string& words,
           std::vector<std::int64_t>& numbers) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_digit(text[at])) {
      words += text[at++];
      continue;
    }
    const bool is_negative = at > 0 && text[at - 1] == '-';
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
    const auto length = static_cast<std::size_t>(end - (text.data() + at));
    const bool is_number = error == std::errc();  // else it is longer than any that is counted with
    if (is_number && std::abs(number - wall_ms) < near_in_milliseconds) {
      words += '@';
      numbers.push_back(number - wall_ms);
    } else if (is_number && std::abs(number - wall_ms / 1000) < near_in_seconds) {
      words += '@';
      numbers.push_back(number - wall_ms / 1000);
    } else if (is_number && which == Numbers::all) {
      words += '#';
      numbers.push_back(is_negative ? -number : number);
    } else {
      words.append(text.substr(at, length));
    }
    at += length;
  }
}

// Refused tries, and what servers did about them.
bool leads_nowhere(const Event& event) {
  switch (event.type) {
    case EventType::invoke:
      return event.operation == Operation::acquire || event.operation == Operation::await_zero;
    case EventType::fail:
    case EventType::info:
    case EventType::applied:
      return true;
    default:
      return false;
  }
}

}  // namespace

void Standstill::reset() {
  watches_ = false;
  windows_ = 0;
  before_.clear();
  now_.clear();
}

void Standstill::begin(const Kernel& kernel, const History& history, Duration settled) {
  watches_ = true;
  overflows_ = false;
  windows_ = 0;
  watched_since_ = window_since_ = kernel.now();
  settled_ = settled;
  first_event_ = history.events().size();
  kernel_ = &kernel;
  wall_readings_ = kernel.wall_readings();
  said_ = 0;
  before_.clear();
  now_.clear();
}

// Each as long as all before it together: what comes seldom is not taken for what never comes, and few are
// needed.
Duration Standstill::window_end() const {
  return std::max({settled_ + answering_time, window_since_ + least_window,
                   window_since_ + (window_since_ - watched_since_)});
}

bool Standstill::end_window(const Kernel& kernel, const History& history, Duration settled) {
  const bool only_said = kernel.wall_readings() - wall_readings_ <= said_ + most_under_way;
  const bool is_idle = !overflows_ && only_said && !somebody_got_anywhere(history);
  if (!is_idle) {
    begin(kernel, history, settled);
    return false;
  }
  const bool is_the_same = windows_ > 0 && is_covered(now_, before_);
  take_in(before_, now_);
  now_.clear();
  ++windows_;
  window_since_ = kernel.now();
  settled_ = settled;
  first_event_ = history.events().size();
  wall_readings_ = kernel.wall_readings();
  said_ = 0;
  return is_the_same;
}

bool Standstill::somebody_got_anywhere(const History& history) const {
  return !std::all_of(history.events().begin() + static_cast<std::ptrdiff_t>(first_event_),
                      history.events().end(), leads_nowhere);
}

void Standstill::on_step(const Step& step) {
  if (!watches_ || overflows_ || step.phase != Phase::applied) {
    return;
  }
  key_.clear();
  numbers_.clear();
  const std::int64_t wall_ms = to_milliseconds(kernel_->read_clock(step.client, ClockKind::wall));
  fmt::format_to(std::back_inserter(key_), "{} {} {} ", index_of(step.client), step.thread,
                 index_of(step.server));
  split(step.call->request_text(), Numbers::times_of_day, wall_ms, key_, numbers_);
  said_ += numbers_.empty() ? 0 : 1;
  key_ += " → ";
  split(step.call->reply_text(), Numbers::all, wall_ms, key_, numbers_);
  const auto [found, is_new] = now_.try_emplace(key_);
  if (is_new) {
    overflows_ = now_.size() > most_exchanges;
    for (const std::int64_t number : numbers_) {
      found->second.push_back({number, number});
    }
    return;
  }
  for (std::size_t index = 0; index < numbers_.size(); ++index) {
    Range& range = found->second[index];
    range = {std::min(range.least, numbers_[index]), std::max(range.greatest, numbers_[index])};
  }
}

bool Standstill::is_covered(const Exchanges& now, const Exchanges& before) {
  return std::ranges::all_of(now, [&](const auto& exchange) {
    const auto found = before.find(exchange.first);
    return found != before.end() &&
           std::ranges::equal(exchange.second, found->second, [](const Range& its, const Range& seen) {
             return its.least >= seen.least - number_slack && its.greatest <= seen.greatest + number_slack;
           });
  });
}

void Standstill::take_in(Exchanges& all, const Exchanges& more) {
  for (const auto& [words, ranges] : more) {
    const auto [found, is_new] = all.try_emplace(words, ranges);
    for (std::size_t index = 0; !is_new && index < ranges.size(); ++index) {
      Range& range = found->second[index];
      range = {std::min(range.least, ranges[index].least), std::max(range.greatest, ranges[index].greatest)};
    }
  }
}

}  // namespace holdfast
