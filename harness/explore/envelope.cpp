#include "harness/explore/envelope.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace holdfast {
namespace {

using IsWell = bool (*)(Letter);

bool holds(Letter letter) {
  return letter != Letter::violated && letter != Letter::fenced;
}
bool is_safe(Letter letter) {
  return letter != Letter::violated;
}
bool works(Letter letter) {
  return letter == Letter::safe;
}

std::int64_t spread(std::int64_t least, std::int64_t most, std::size_t index, std::size_t count) {
  return least + (most - least) * static_cast<std::int64_t>(index) /
                     static_cast<std::int64_t>(std::max<std::size_t>(1, count - 1));
}

// What comes of each value of one quantity, all others as they are set.
class Line {
 public:
  Line(EnvelopeStory& story, const EnvelopeSetting& setting, const Quantity& quantity)
      : story_(story), setting_(setting), quantity_(quantity) {}

  Letter at(std::int64_t value) {
    const auto [known, is_new] = letters_.try_emplace(value);
    if (is_new) {
      EnvelopeSetting setting = setting_;
      setting[quantity_.name] = value;
      known->second = story_.letter(setting);
    }
    return known->second;
  }

  // The last value up to which all is well, going by the values seen so far; -1 if there is none. More of a
  // fault can be harmless again (nobody gets the lock at all), so what counts is the first one that is not.
  std::int64_t border(IsWell is_well) {
    std::optional<std::int64_t> well;
    std::optional<std::int64_t> broken;
    const auto look = [&](const auto& each) {
      if (!broken) {
        (is_well(each.second) ? well : broken) = each.first;
      }
    };
    if (quantity_.more_is_safer) {
      std::for_each(letters_.rbegin(), letters_.rend(), look);
    } else {
      std::for_each(letters_.begin(), letters_.end(), look);
    }
    while (well && broken && std::abs(*broken - *well) > 1) {
      const std::int64_t middle = *well + (*broken - *well) / 2;
      (is_well(at(middle)) ? well : broken) = middle;
    }
    return well.value_or(-1);
  }

 private:
  EnvelopeStory& story_;
  const EnvelopeSetting& setting_;
  const Quantity& quantity_;
  std::map<std::int64_t, Letter> letters_;
};

// What a sweep goes up to is said for a lease of 10 s; a border is looked for up to as many leases.
std::int64_t most_for(const Quantity& quantity, std::int64_t ttl_ms) {
  const bool is_time = quantity.unit == "ms" && quantity.name != "ttl";
  return is_time ? quantity.most * ttl_ms / usual_ttl_ms : quantity.most;
}

}  // namespace

Envelope find_envelope(Simulation& simulation, const LockEntry& lock, const Quantity& x, const Quantity& y,
                       std::size_t columns, std::size_t rows) {
  Envelope envelope{.lock = &lock, .x = &x, .y = &y, .xs = {}, .rows = {}};
  EnvelopeStory story(simulation, lock);
  for (std::size_t column = 0; column < columns; ++column) {
    envelope.xs.push_back(spread(x.least, x.most, column, columns));
  }
  for (std::size_t index = 0; index < rows; ++index) {
    EnvelopeRow row;
    row.y = spread(y.least, y.most, index, rows);
    EnvelopeSetting setting(lock);
    setting[y.name] = row.y;
    setting.give_time_for(y, lock);
    setting.give_time_for(x, lock);
    setting[y.name] = row.y;
    Line line(story, setting, x);
    for (const std::int64_t value : envelope.xs) {
      row.letters.push_back(line.at(value));
    }
    row.holds_up_to = line.border(holds);
    row.safe_up_to = line.border(is_safe);
    envelope.rows.push_back(std::move(row));
  }
  envelope.runs = story.runs();
  return envelope;
}

Border find_border(Simulation& simulation, const LockEntry& lock, const Quantity& quantity,
                   std::int64_t ttl_ms) {
  constexpr std::size_t steps = 17;
  EnvelopeStory story(simulation, lock);
  EnvelopeSetting setting(lock);
  setting["ttl"] = ttl_ms;
  setting.give_time_for(quantity, lock);
  Border border;
  border.quantity = &quantity;
  border.searched_up_to = most_for(quantity, ttl_ms);
  Line line(story, setting, quantity);
  for (std::size_t step = 0; step < steps; ++step) {
    line.at(spread(quantity.least, border.searched_up_to, step, steps));
  }
  for (std::int64_t part = 32; part <= 512; part *= 2) {  // what breaks with little, and not with much
    line.at(std::max(quantity.least, border.searched_up_to / part));
  }
  border.holds_up_to = line.border(holds);
  border.safe_up_to = line.border(is_safe);
  border.works_up_to = line.border(works);
  border.runs = story.runs();
  return border;
}

}  // namespace holdfast
