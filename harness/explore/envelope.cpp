#include "harness/explore/envelope.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

namespace holdfast {
namespace {

constexpr std::int64_t usual_ttl_ms = 10'000;

constexpr std::array quantities{
    Quantity{"pause", "ms", "how long the holder's process stands still", 0, 20'000, 0},
    Quantity{"work", "ms", "how long the work under the lock takes", 0, 20'000, 0},
    Quantity{"jump", "ms", "how far the server's clock jumps ahead while the lock is held", 0, 20'000, 0},
    Quantity{"drift", "ppm", "how much faster than time the server's clock runs", 0, 1'000'000, 0},
    Quantity{"latency", "ms", "how long every message takes", 1, 20'000, 1},
    Quantity{"ttl", "ms", "the lease", 1000, 20'000, usual_ttl_ms},
};

// A value for each quantity; what is not set is as it is otherwise.
class Setting {
 public:
  explicit Setting(const LockEntry& lock) {
    for (std::size_t index = 0; index < quantities.size(); ++index) {
      values_[index] = quantities[index].otherwise;
    }
    if (lock.ttl > Duration::zero()) {
      (*this)["ttl"] = to_milliseconds(lock.ttl);
    }
  }
  std::int64_t& operator[](std::string_view name) {
    return values_[static_cast<std::size_t>(find_quantity(name) - quantities.data())];
  }
  ScenarioDuration milliseconds(std::string_view name) {
    return {std::chrono::milliseconds((*this)[name]), 0};
  }

 private:
  std::array<std::int64_t, quantities.size()> values_{};
};

FaultSpec fault_of_holder(const char* id, const char* on) {
  FaultSpec fault;
  fault.fault = id;
  fault.on = on;
  fault.at.process = "c1";
  fault.at.phase = Phase::point;
  fault.at.name = "work";
  return fault;
}

Scenario story_with(const LockEntry& lock, Setting setting) {
  Scenario story;
  story.name = "envelope";
  story.lock = std::string(lock.id);
  story.topology.latency = {
      .least = std::chrono::milliseconds(setting["latency"]), .jitter_step = 0ns, .jitter_steps = 1};
  story.settings.ttl = setting.milliseconds("ttl");
  story.settings.retry_interval = ScenarioDuration{1ms, 0};
  story.settings.retry_jitter = ScenarioDuration{};
  story.settings.command_timeout = ScenarioDuration{0ms, 5000};
  ClientSpec holder;
  holder.name = "c1";
  holder.work = setting.milliseconds("work");
  ClientSpec waiter;
  waiter.name = "c2";
  waiter.start = ScenarioDuration{100ms, 0};
  waiter.work = ScenarioDuration{};
  story.clients = {holder, waiter};
  story.event_limit = 200'000;
  if (setting["pause"] > 0) {
    story.faults.push_back(fault_of_holder("gc-pause", "c1"));
    story.faults.back().lasts = setting.milliseconds("pause");
  }
  if (setting["jump"] > 0) {
    story.faults.push_back(fault_of_holder("clock-jump", "redis"));
    story.faults.back().by = setting.milliseconds("jump");
  }
  if (setting["drift"] > 0) {
    story.faults.push_back(fault_of_holder("clock-drift", "redis"));
    story.faults.back().at = {};
    story.faults.back().at.time = ScenarioDuration{};
    story.faults.back().parts_per_million = setting["drift"];
    story.faults.back().clock = "both";
    story.faults.back().lasts = ScenarioDuration{0ms, 4000};
  }
  return story;
}

// While these are swept the lock has to be held for a while, or nothing could go wrong meanwhile.
void give_it_time(Setting& setting, const Quantity& quantity) {
  if (quantity.name == "jump" || quantity.name == "latency") {
    setting["work"] = setting["ttl"] / 2;
  } else if (quantity.name == "drift") {
    setting["work"] = setting["ttl"] * 9 / 10;
  }
}

// What a sweep goes up to is said for a lease of 10 s; a border is looked for up to as many leases.
std::int64_t most_for(const Quantity& quantity, std::int64_t ttl_ms) {
  const bool is_time = quantity.unit == "ms" && quantity.name != "ttl";
  return is_time ? quantity.most * ttl_ms / usual_ttl_ms : quantity.most;
}

bool holds(Letter letter) {
  return letter != Letter::violated && letter != Letter::fenced;
}
bool is_safe(Letter letter) {
  return letter != Letter::violated;
}

class Searcher {
 public:
  Searcher(Simulation& simulation, const LockEntry& lock) : simulation_(simulation), lock_(lock) {}

  Letter letter(const Setting& setting) {
    ++runs_;
    const Scenario story = story_with(lock_, setting);
    return simulation_.run({.scenario = &story, .lock = &lock_, .seed = 1, .placement = std::nullopt}).letter;
  }

  // The largest value for which `is_well`; -1 if there is none. `most` is taken to be too much.
  std::int64_t border(Setting setting, const Quantity& quantity, std::int64_t most, bool (*is_well)(Letter)) {
    std::int64_t well = quantity.least - 1;
    std::int64_t broken = most;
    while (broken - well > 1) {
      const std::int64_t middle = well + (broken - well) / 2;
      setting[quantity.name] = middle;
      (is_well(letter(setting)) ? well : broken) = middle;
    }
    return well < quantity.least ? -1 : well;
  }

  std::uint64_t runs() const { return runs_; }

 private:
  Simulation& simulation_;
  const LockEntry& lock_;
  std::uint64_t runs_ = 0;
};

std::string amount(std::int64_t value, const Quantity& quantity) {
  if (quantity.unit == "ppm") {
    return fmt::format("{:.1f} %", static_cast<double>(value) / 10'000);
  }
  return fmt::format("{}.{:03} s", value / 1000, value % 1000);
}

std::string border_text(const Border& border) {
  const Quantity& quantity = *border.quantity;
  const std::string_view what =
      quantity.name == "pause"     ? "a pause of the holder"
      : quantity.name == "jump"    ? "a jump ahead of a server's clock under half a lease of work"
      : quantity.name == "drift"   ? "a server's clock that runs fast under nine tenths of a lease of work"
      : quantity.name == "latency" ? "messages that take long, under half a lease of work"
                                   : "work under the lock";
  const auto up_to = [&](bool always, std::int64_t value) {
    return always      ? fmt::format("up to {} and more", amount(border.searched_up_to, quantity))
           : value < 0 ? std::string("not at all")
                       : "up to " + amount(value, quantity);
  };
  std::string text = fmt::format("{}: {}", what, up_to(border.always_holds, border.holds_up_to));
  if (border.always_safe != border.always_holds || border.safe_up_to != border.holds_up_to) {
    text += fmt::format(" (the resource is safe {})", up_to(border.always_safe, border.safe_up_to));
  }
  return text;
}

}  // namespace

std::span<const Quantity> all_quantities() {
  return quantities;
}

const Quantity* find_quantity(std::string_view name) {
  const auto found = std::ranges::find(quantities, name, &Quantity::name);
  return found == quantities.end() ? nullptr : &*found;
}

Envelope find_envelope(Simulation& simulation, const LockEntry& lock, const Quantity& x, const Quantity& y,
                       std::size_t columns, std::size_t rows) {
  Envelope envelope{.lock = &lock, .x = &x, .y = &y, .xs = {}, .rows = {}};
  Searcher searcher(simulation, lock);
  const auto spread = [](const Quantity& quantity, std::size_t index, std::size_t count) {
    return quantity.least + (quantity.most - quantity.least) * static_cast<std::int64_t>(index) /
                                static_cast<std::int64_t>(std::max<std::size_t>(1, count - 1));
  };
  for (std::size_t column = 0; column < columns; ++column) {
    envelope.xs.push_back(spread(x, column, columns));
  }
  for (std::size_t index = 0; index < rows; ++index) {
    EnvelopeRow row;
    row.y = spread(y, index, rows);
    Setting setting(lock);
    setting[y.name] = row.y;
    give_it_time(setting, x);
    setting[y.name] = row.y;
    for (const std::int64_t value : envelope.xs) {
      Setting at = setting;
      at[x.name] = value;
      row.letters.push_back(searcher.letter(at));
    }
    row.holds_up_to = searcher.border(setting, x, x.most + 1, holds);
    row.safe_up_to = searcher.border(setting, x, x.most + 1, is_safe);
    envelope.rows.push_back(std::move(row));
  }
  envelope.runs = searcher.runs();
  return envelope;
}

Border find_border(Simulation& simulation, const LockEntry& lock, const Quantity& quantity,
                   std::int64_t ttl_ms, std::uint64_t& runs) {
  Searcher searcher(simulation, lock);
  Setting setting(lock);
  setting["ttl"] = ttl_ms;
  give_it_time(setting, quantity);
  Border border;
  border.quantity = &quantity;
  border.searched_up_to = most_for(quantity, ttl_ms);
  border.holds_up_to = searcher.border(setting, quantity, border.searched_up_to + 1, holds);
  border.safe_up_to = searcher.border(setting, quantity, border.searched_up_to + 1, is_safe);
  border.always_holds = border.holds_up_to == border.searched_up_to;
  border.always_safe = border.safe_up_to == border.searched_up_to;
  runs += searcher.runs();
  return border;
}

std::string certificate(Simulation& simulation, const LockEntry& lock) {
  const std::int64_t ttl_ms = lock.ttl > Duration::zero() ? to_milliseconds(lock.ttl) : usual_ttl_ms;
  std::uint64_t runs = 0;
  std::string text = lock.ttl > Duration::zero()
                         ? fmt::format("{} with a lease of {} s keeps its holder alone through", lock.id,
                                       static_cast<double>(ttl_ms) / 1000)
                         : fmt::format("{}, which knows no lease, keeps its holder alone through", lock.id);
  std::string separator = " ";
  for (const std::string_view name : {"pause", "work", "jump", "drift", "latency"}) {
    const Quantity& quantity = *find_quantity(name);
    const bool of_server = name == "jump" || name == "drift";
    if (of_server && lock.needs.redis_servers == 0) {
      continue;
    }
    text += separator + border_text(find_border(simulation, lock, quantity, ttl_ms, runs));
    separator = "; ";
  }
  return text + fmt::format(". ({} runs stand behind this.)", runs);
}

}  // namespace holdfast
