#include "harness/explore/envelope_story.h"
#include "faults/catalog.h"
#include "harness/stores/servers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

namespace holdfast {
namespace {

constexpr std::array quantities{
    Quantity{"pause", "ms", "how long the holder's process stands still", 0, 20'000, 0},
    Quantity{"work", "ms", "how long the work under the lock takes", 0, 20'000, 0},
    Quantity{"jump", "ms", "how far the server's clock jumps ahead while the lock is held", 0, 20'000, 0},
    Quantity{"drift", "ppm", "how much faster than time the server's clock runs", 0, 1'000'000, 0},
    Quantity{"latency", "ms", "how long every message takes", 1, 20'000, 1},
    Quantity{"ttl", "ms", "the lease", 1000, 20'000, usual_ttl_ms, true},
};

ScenarioDuration in_milliseconds(std::int64_t value) {
  return {std::chrono::milliseconds(value), 0};
}

// Most renew every third of a lease.
constexpr std::int64_t leases_of_several_renewals = 2;
// Of a holder that renews, for a jump to show itself.
constexpr std::int64_t parts_of_a_lease_after_a_jump = 2;

// The servers that the holder does without come up so late.
constexpr Duration others_come_after = 50ms;

FaultSpec fault_on(std::string id, std::string process) {
  FaultSpec fault;
  fault.fault = std::move(id);
  fault.on = std::move(process);
  return fault;
}

}  // namespace

std::span<const Quantity> all_quantities() {
  return quantities;
}

const Quantity* find_quantity(std::string_view name) {
  const auto found = std::ranges::find(quantities, name, &Quantity::name);
  return found == quantities.end() ? nullptr : &*found;
}

EnvelopeSetting::EnvelopeSetting(const LockEntry& lock) {
  static_assert(quantities.size() == std::tuple_size_v<decltype(values_)>);
  std::ranges::transform(quantities, values_.begin(), &Quantity::otherwise);
  if (lock.ttl > Duration::zero()) {
    (*this)["ttl"] = to_milliseconds(lock.ttl);
  }
}

std::int64_t& EnvelopeSetting::operator[](std::string_view name) {
  return values_[static_cast<std::size_t>(find_quantity(name) - quantities.data())];
}

void EnvelopeSetting::give_time_for(const Quantity& swept, const LockEntry& lock) {
  const std::int64_t ttl = (*this)["ttl"];
  const bool is_a_fault =
      swept.name == "pause" || swept.name == "jump" || swept.name == "drift" || swept.name == "latency";
  if (is_a_fault && lock.features.renews) {
    (*this)["work"] = ttl * leases_of_several_renewals;
  } else if (swept.name == "jump" || swept.name == "latency") {
    (*this)["work"] = ttl / 2;
  } else if (swept.name == "drift") {
    (*this)["work"] = ttl * 9 / 10;
  }
}

// Finds the moments in a run in which nothing happens to anybody.
class EnvelopeStory::Moments final : public StepObserver {
 public:
  explicit Moments(const Simulation& simulation) : simulation_(simulation) {}

  void on_step(const Step& step) override {
    const Kernel& kernel = simulation_.kernel();
    if (kernel.process(step.client).name != "c1") {
      return;
    }
    const Duration now = kernel.now();
    const bool is_sending = step.phase == Phase::sending && kernel.process(step.server).name != "storage";
    if (step.phase == Phase::point && step.name == "work" && requested_) {
      work_began_ = now;
      found_.push_back({step.client_ordinal, now, now - *requested_, 0ns});
    } else if (step.phase == Phase::point && step.name == "worked") {
      is_over_ = true;
    } else if (is_sending && work_began_ && !is_over_) {
      const Duration lease_began = renewed_.contains(step.server) ? renewed_[step.server] : *requested_;
      found_.push_back({step.client_ordinal, now, now - lease_began, now - *work_began_});
      renewed_[step.server] = now;
    } else if (is_sending && !requested_) {
      requested_ = now;
    }
  }
  const std::vector<Moment>& found() const { return found_; }

 private:
  const Simulation& simulation_;
  std::optional<Duration> requested_;
  std::optional<Duration> work_began_;
  std::map<ProcessId, Duration> renewed_;  // on each server, the last time
  bool is_over_ = false;
  std::vector<Moment> found_;
};

// When c2 has to come to be granted the lock at the last moment, going by how long it took c1: in a run in
// which it came early and waited.
class EnvelopeStory::Arrivals final : public StepObserver {
 public:
  explicit Arrivals(const Simulation& simulation) : simulation_(simulation) {}

  void on_step(const Step& step) override {
    const Kernel& kernel = simulation_.kernel();
    if (kernel.process(step.client).name != "c1") {
      return;
    }
    const Duration now = kernel.now();
    if (step.phase == Phase::sending && !sent_) {
      sent_ = now;
    } else if (step.phase == Phase::arrived && !arrived_) {
      arrived_ = now;
    } else if (step.phase == Phase::point && step.name == "acquired" && !acquired_) {
      acquired_ = now;
    } else if (step.phase == Phase::point && step.name == "release" && !released_) {
      released_ = now;
    } else if (step.phase == Phase::arrived && acquired_ && !released_ && renewals_.size() < most_renewals &&
               kernel.process(step.server).name != "storage") {
      renewals_.push_back(now);
    }
  }

  std::vector<Duration> found() const {
    std::vector<Duration> result;
    if (!sent_ || !arrived_ || !acquired_) {
      return result;
    }
    const auto add = [&](Duration moment, Duration way) {
      if (moment - way - 1ms > 100ms) {
        result.push_back(moment - way - 1ms);
      }
    };
    for (const Duration renewal : renewals_) {
      add(renewal, *arrived_ - *sent_);
    }
    if (released_) {
      add(*released_, *acquired_ - *sent_);
    }
    return result;
  }

 private:
  static constexpr std::size_t most_renewals = 8;  // of several servers, one after the other

  const Simulation& simulation_;
  std::optional<Duration> sent_;
  std::optional<Duration> arrived_;
  std::optional<Duration> acquired_;
  std::optional<Duration> released_;
  std::vector<Duration> renewals_;
};

EnvelopeStory::EnvelopeStory(Simulation& simulation, const LockEntry& lock)
    : simulation_(simulation), lock_(lock) {
  if (lock.needs.servers > 2) {
    with_majority_only_ = true;  // if that is enough for it, so that it does not wait for the others
    const std::vector<Moment>& found = moments(EnvelopeSetting(lock));
    with_majority_only_ = !found.empty() && found.front().since_request < others_come_after;
    known_.reset();
  }
}

Scenario EnvelopeStory::scenario(EnvelopeSetting setting, const Turn& turn) const {
  Scenario story;
  story.name = "envelope";
  story.lock = std::string(lock_.id);
  story.any_lock = true;  // one that means something within a process only runs there
  story.topology.latency = {
      .least = std::chrono::milliseconds(setting["latency"]), .jitter_step = 0ns, .jitter_steps = 1};
  story.settings.ttl = in_milliseconds(setting["ttl"]);
  story.settings.retry_interval = in_milliseconds(1);
  story.settings.retry_jitter = ScenarioDuration{};
  story.settings.command_timeout = ScenarioDuration{0ms, 5000};
  ClientSpec holder;
  holder.name = "c1";
  holder.work = in_milliseconds(setting["work"]);
  ClientSpec waiter;
  waiter.name = "c2";
  waiter.start = ScenarioDuration{turn.waiter_comes, 0};
  waiter.work = ScenarioDuration{};
  story.clients = {holder, waiter};
  story.event_limit = 1'000'000;
  story.time_limit = ScenarioDuration{0ms, 20'000};

  StepSelector at_work;
  at_work.process = "c1";
  at_work.phase = Phase::point;
  at_work.name = "work";
  StepSelector at_the_moment = at_work;
  if (turn.strikes_at != 0) {
    at_the_moment = {};
    at_the_moment.process = "c1";
    at_the_moment.ordinal = turn.strikes_at;
  }
  StepSelector at_once;
  at_once.time = ScenarioDuration{};
  const std::size_t servers = lock_.needs.servers;
  const std::string server = servers == 0 ? std::string() : member_name(lock_.needs.store, servers, 0, 0);
  for (std::size_t late = servers / 2 + 1; with_majority_only_ && late < servers; ++late) {
    FaultSpec& fault = story.faults.emplace_back(
        fault_on("server-restart", member_name(lock_.needs.store, servers, late, 0)));
    fault.at = at_once;
    fault.lasts = ScenarioDuration{others_come_after, 0};
  }
  if (setting["pause"] > 0) {
    FaultSpec& fault = story.faults.emplace_back(fault_on("gc-pause", "c1"));
    fault.at = at_the_moment;
    fault.lasts = in_milliseconds(setting["pause"]);
  }
  if (setting["jump"] > 0) {
    FaultSpec& fault = story.faults.emplace_back(fault_on("clock-jump", server));
    fault.at = at_the_moment;
    set_option(fault, "by", in_milliseconds(setting["jump"]));
  }
  if (setting["drift"] > 0) {
    FaultSpec& fault = story.faults.emplace_back(fault_on("clock-drift", server));
    fault.at = at_once;
    set_option(fault, "parts_per_million", setting["drift"]);
    set_option(fault, "clock", "both");
    fault.lasts = ScenarioDuration{0ms, 4000};
  }
  return story;
}

RunReport EnvelopeStory::run(const EnvelopeSetting& setting, const Turn& turn, StepObserver* observer) {
  ++runs_;
  const Scenario story = scenario(setting, turn);
  RunRequest request{.scenario = &story, .lock = &lock_, .seed = 1, .placement = std::nullopt};
  request.step_observer = observer;
  return simulation_.run(request);
}

const std::vector<EnvelopeStory::Moment>& EnvelopeStory::moments(EnvelopeSetting setting) {
  setting["pause"] = 0;
  setting["jump"] = 0;
  if (known_ != setting) {
    Moments moments(simulation_);
    const Duration after_all = std::chrono::milliseconds(setting["work"] + 1000 * setting["latency"]);
    run(setting, {.waiter_comes = after_all}, &moments);
    known_ = setting;
    moments_ = moments.found();
    if (!lock_.features.renews) {
      moments_.resize(std::min<std::size_t>(1, moments_.size()));
    }
  }
  return moments_;
}

Letter EnvelopeStory::letter(EnvelopeSetting setting) {
  const bool has_moments = setting["pause"] > 0 || setting["jump"] > 0;
  if (!has_moments || !lock_.features.renews) {
    return worst_letter(setting, {});
  }
  const std::vector<Moment>& all = moments(setting);
  Letter worst = Letter::not_applicable;
  for (std::size_t count = 0; count < all.size() && worst != Letter::violated; ++count) {
    const std::size_t index = (first_tried_ + count) % all.size();
    const Letter letter = letter_at(setting, all[index]);
    if (letter > worst) {
      worst = letter;
      first_tried_ = letter == Letter::violated ? index : first_tried_;
    }
  }
  return worst;
}

// What comes of it shows soon after, so the work need not go on for much longer; and who asks again and again
// need not have begun long before. Who sleeps until it is told may have.
Letter EnvelopeStory::letter_at(const EnvelopeSetting& whole, const Moment& moment) {
  EnvelopeSetting setting = whole;
  const std::int64_t some_messages = 20 * setting["latency"];
  const std::int64_t until_it_shows =
      setting["pause"] + (setting["jump"] > 0 ? setting["ttl"] / parts_of_a_lease_after_a_jump : 0);
  setting["work"] =
      std::min(setting["work"], to_milliseconds(moment.into_work) + until_it_shows + some_messages);
  Turn turn{.strikes_at = moment.ordinal};
  Letter worst = Letter::not_applicable;
  if (lock_.features.woken) {
    worst = worst_letter(setting, turn);
  }
  if (worst != Letter::violated) {
    turn.waiter_comes = std::max(turn.waiter_comes, moment.at - std::chrono::milliseconds(some_messages));
    worst = std::max(worst, worst_letter(setting, turn));
  }
  return worst;
}

Letter EnvelopeStory::worst_letter(const EnvelopeSetting& setting, const Turn& turn) {
  Arrivals arrivals(simulation_);
  Letter worst = run(setting, turn, &arrivals).letter;
  for (const Duration arrival : arrivals.found()) {
    if (worst == Letter::violated) {
      break;
    }
    // Who comes late and is kept waiting for ever has been waiting for no longer than who came early.
    Turn late = turn;
    late.waiter_comes = arrival;
    const Letter letter = run(setting, late).letter;
    if (letter == Letter::violated || letter == Letter::fenced) {
      worst = std::max(worst, letter);
    }
  }
  return worst;
}

Duration EnvelopeStory::promised_pause(EnvelopeSetting setting) {
  Duration least = Duration::max();
  for (const Moment& moment : moments(setting)) {
    least = std::min(least, std::chrono::milliseconds(setting["ttl"]) - moment.since_request);
  }
  return least - (lock_.reserve == nullptr ? 0ns : lock_.reserve(std::chrono::milliseconds(setting["ttl"])));
}

}  // namespace holdfast
