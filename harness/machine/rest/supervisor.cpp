#include "harness/machine/rest/supervisor.h"

#include <fmt/format.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "harness/kernel/require.h"
#include "harness/machine/process/live_error.h"
#include "harness/machine/rest/threads_look.h"
#include "harness/machine/rest/units.h"
#include "harness/machine/rest/why_no_rest.h"

namespace holdfast::rest {
namespace {

using Clock = std::chrono::steady_clock;

// Real time to wait for a call before /proc is looked at, at first and at most.
constexpr std::int64_t wait_step_us = 30;
constexpr std::int64_t wait_max_us = 300;
// So many readings of a clock without a call between them: it waits for the clock to change.
constexpr std::uint64_t spinning_readings = 1000;
constexpr int expiries_of_instant_max = 20'000;

}  // namespace

// Notices, while a settle() lasts, that somebody computes on and on; and that all has lasted too long.
class Supervisor::Patience {
 public:
  explicit Patience(Supervisor& supervisor) : supervisor_(supervisor), start_(Clock::now()) { heard(); }

  // Something happened: whoever computes is given time anew.
  void heard() {
    processor_ns_ = processor_ns();
    readings_ = readings();
  }
  // Whatever happens: two threads may wake each other for ever.
  void check_limit() const {
    if (Clock::now() - start_ > std::chrono::milliseconds(supervisor_.options_.rest_limit_ms)) {
      throw live::LiveError(supervisor_.who_runs());
    }
  }
  // Nothing happened.
  void wait() {
    const std::int64_t limit_ms = supervisor_.has_come_up_ ? supervisor_.options_.patience_after_start_ms
                                                           : supervisor_.options_.patience_ms;
    // By the processor's time: one who waits for a disk, or has no processor, gets all the time that it
    // needs.
    if (processor_ns() - processor_ns_ < limit_ms * millisecond_ns) {
      return;
    }
    if (supervisor_.release_one()) {
      ++supervisor_.figures_.impatient;
    } else if (!supervisor_.has_come_up_ && readings() - readings_ > spinning_readings) {
      creep();
    }
    heard();
  }

 private:
  // Further each time: it may wait for the next microsecond, millisecond or second. Not past a deadline.
  void creep() {
    const std::optional<std::int64_t> next = supervisor_.next_deadline();
    const std::int64_t to_deadline_ns = next ? *next - supervisor_.now_ns_ : creep_ns_;
    const std::int64_t by_ns = std::clamp(to_deadline_ns, microsecond_ns, creep_ns_);
    supervisor_.move_to(supervisor_.now_ns_ + by_ns);
    supervisor_.figures_.creeps += static_cast<std::uint64_t>(by_ns / microsecond_ns);
    creep_ns_ = std::min(creep_ns_ * 2, second_ns);
  }
  std::int64_t processor_ns() const {
    std::int64_t sum = 0;
    for (const auto& process : supervisor_.processes_) {
      sum += process->processor_ns();
    }
    return sum;
  }
  std::uint64_t readings() const {
    std::uint64_t sum = 0;
    for (const auto& process : supervisor_.processes_) {
      sum += process->readings();
    }
    return sum;
  }

  Supervisor& supervisor_;
  Clock::time_point start_;
  std::int64_t processor_ns_ = 0;
  std::uint64_t readings_ = 0;
  std::int64_t creep_ns_ = microsecond_ns;  // by so much the next time
};

Supervisor::Supervisor(const SupervisorOptions& options) : options_(options) {
  if (const std::string why = why_no_rest(); !why.empty()) {
    throw live::LiveError(why);
  }
}

std::size_t Supervisor::start(const ProgramOptions& options) {
  const std::size_t number = processes_.size();
  HeldProcessOptions held{.name = options.name,
                          .program = options.program,
                          .page = directory_.path() / fmt::format("clock-{}", number),
                          .clock = {options_.start.wall_ns + now_ns_, options_.start.mono_ns + now_ns_},
                          .one_at_a_time = options_.one_at_a_time,
                          .seed = options_.seed,
                          .back_off_ns = options_.back_off_ns,
                          .refuses_uncovered = options_.refuses_uncovered};
  if (held.seed) {
    *held.seed += number;
  }
  processes_.push_back(std::make_unique<HeldProcess>(held));
  wall_steps_ns_.push_back(0);
  has_come_up_ = false;
  return number;
}

void Supervisor::settle() {
  ++figures_.rests;
  Patience patience(*this);
  std::int64_t wait_us = 0;
  for (;;) {
    patience.check_limit();
    const bool heard = take_calls(wait_us);
    if (!options_.one_at_a_time && release_one()) {
      while (release_one()) {
      }
      wait_us = wait_step_us;
      continue;
    }
    if (are_all_asleep() && !take_calls(0)) {
      const bool is_released = interrupt_one() || release_one();
      if (!is_released && !is_anybody_ending()) {
        return;
      }
      if (is_released) {
        patience.heard();
        wait_us = wait_max_us / 2;
        continue;
      }
    }
    if (heard) {
      patience.heard();
    }
    patience.wait();
    wait_us = heard ? wait_step_us : std::min(wait_us + wait_step_us, wait_max_us);
  }
}

bool Supervisor::take_calls(std::int64_t wait_us) {
  std::vector<pollfd> polled;
  for (const auto& process : processes_) {
    if (process->is_running()) {
      polled.push_back({process->listener(), POLLIN, 0});
    }
  }
  const timespec wait{0, wait_us * microsecond_ns};
  if (polled.empty() || ::ppoll(polled.data(), polled.size(), &wait, nullptr) <= 0) {
    return false;
  }
  bool any = false;
  bool any_signals = false;
  for (const auto& process : processes_) {
    any = (process->is_running() && process->take_calls()) || any;
    any_signals = process->has_sent_signals() || any_signals;
  }
  for (const auto& process : processes_) {
    if (any_signals) {
      process->expect_signals();  // it may be for any of them
    }
  }
  return any;
}

bool Supervisor::are_all_asleep() {
  std::optional<ThreadsLook> before;
  for (int looks = 0; looks < 2; ++looks) {
    ThreadsLook look;
    for (const auto& process : processes_) {
      const auto is_held = [&](pid_t thread) { return process->holds(thread); };
      if (process->is_running() && !look.add(process->process(), is_held)) {
        return false;
      }
    }
    if (look.is_empty()) {
      return true;
    }
    if (before) {
      return *before == look;
    }
    before = std::move(look);
  }
  return false;
}

bool Supervisor::is_anybody_ending() {
  return std::ranges::any_of(
      processes_, [](const auto& process) { return process->is_running() && process->is_ending(); });
}

bool Supervisor::interrupt_one() {
  for (const auto& process : processes_) {
    if (process->is_running() && process->interrupt_one()) {
      ++figures_.releases;
      return true;
    }
  }
  return false;
}

bool Supervisor::release_one() {
  for (const bool also_polite : {false, true}) {
    for (const auto& process : processes_) {
      if (process->is_running() && process->release_one(also_polite)) {
        ++figures_.releases;
        return true;
      }
    }
  }
  return false;
}

HeldProcess* Supervisor::first_due() const {
  HeldProcess* first = nullptr;
  for (const auto& process : processes_) {
    const auto due_ns = process->first_deadline();
    if (due_ns && (first == nullptr || *due_ns < *first->first_deadline())) {
      first = process.get();
    }
  }
  return first;
}

std::optional<std::int64_t> Supervisor::next_deadline() const {
  const HeldProcess* const first = first_due();
  return first == nullptr ? std::nullopt : std::optional(now_ns_ + *first->first_deadline());
}

bool Supervisor::expire_next() {
  HeldProcess* const first = first_due();
  if (first == nullptr) {
    return false;
  }
  if (const std::int64_t due_ns = *first->first_deadline(); due_ns > 0) {
    move_to(now_ns_ + due_ns);
    expiries_of_instant_ = 0;
  }
  if (++expiries_of_instant_ > expiries_of_instant_max) {
    throw live::LiveError(
        fmt::format("{} (process {}) waits again and again for a time that has come already.", first->name(),
                    first->process()));
  }
  first->expire_first();
  ++figures_.expiries;
  settle();
  return true;
}

bool Supervisor::advance_to(std::int64_t to_ns, const std::function<bool()>& until) {
  require(to_ns >= now_ns_, "time does not go back");
  for (auto next = next_deadline(); next && *next <= to_ns; next = next_deadline()) {
    expire_next();
    if (until && until()) {
      return true;
    }
  }
  if (to_ns > now_ns_) {
    move_to(to_ns);
  }
  return false;
}

void Supervisor::jump_to(std::int64_t to_ns) {
  move_to(to_ns);
  for (auto next = next_deadline(); next && *next <= now_ns_; next = next_deadline()) {
    expire_next();
  }
}

void Supervisor::come_up(const std::function<bool()>& is_up, std::int64_t limit_ns) {
  require(!processes_.empty() && limit_ns >= 0, "somebody comes up, in some time");
  const std::int64_t last_ns = now_ns_ + limit_ns;
  for (settle(); !is_up(); expire_next()) {
    const auto next = next_deadline();
    if (!next || *next > last_ns) {
      throw live::LiveError(
          fmt::format("{} did not come up: {}.", processes_.back()->name(),
                      !processes_.back()->is_running() ? "it ended (" + processes_.back()->ending() + ")"
                      : next ? fmt::format("it took {} s of its own time", limit_ns / 1'000'000'000)
                             : "it rests, and waits for nothing that time could bring"));
    }
  }
  for (std::size_t number = 0; number < processes_.size(); ++number) {
    if (const std::string doubt = why_clock_is_doubted(number); !doubt.empty()) {
      throw live::LiveError(doubt);
    }
  }
  has_come_up_ = true;
}

void Supervisor::deliver(int socket, std::string_view message) {
  while (!message.empty()) {
    const ssize_t sent = ::send(socket, message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EINTR) {
      throw live::LiveError(fmt::format(
          "a message cannot be delivered: {}.",
          errno == EAGAIN ? "the program at rest has not read the ones before" : std::strerror(errno)));
    }
    message.remove_prefix(sent > 0 ? static_cast<std::size_t>(sent) : 0);
    see_arrive(socket);
    settle();
  }
}

// Sent is not yet arrived on a TCP connection; acknowledged, which may be put off, is more than arrived.
void Supervisor::see_arrive(int socket) {
  constexpr int tries_max = 5000;
  for (int tries = 0; tries < tries_max; ++tries) {
    int unsent = 0;
    if (::ioctl(socket, SIOCOUTQNSD, &unsent) != 0 || unsent == 0) {
      return;
    }
    settle();  // there is no room until it has read
    pollfd nothing{-1, 0, 0};
    ::poll(&nothing, 1, 1);
  }
  throw live::LiveError("a message cannot be delivered: the program at rest does not read it.");
}

void Supervisor::let_go(std::size_t number) {
  process(number).hold(false);
  settle();
}

void Supervisor::step_wall_clock(std::size_t number, std::int64_t by_ns) {
  require(number < wall_steps_ns_.size(), "a clock that steps is that of a program");
  wall_steps_ns_[number] += by_ns;
  show_time(number);
}

void Supervisor::kill(std::size_t number) {
  process(number).kill();
  settle();
}

std::string Supervisor::why_clock_is_doubted(std::size_t number) {
  HeldProcess& doubted = process(number);
  return doubted.readings() > 0
             ? ""
             : fmt::format(
                   "{} (process {}) has not read the clock that it was given, so it may live in real time.",
                   doubted.name(), doubted.process());
}

HeldProcess& Supervisor::process(std::size_t number) {
  require(number < processes_.size(), "a program that is named was started");
  return *processes_[number];
}

void Supervisor::move_to(std::int64_t to_ns) {
  require(to_ns >= now_ns_, "time does not go back");
  now_ns_ = to_ns;
  for (std::size_t number = 0; number < processes_.size(); ++number) {
    show_time(number);
  }
}

void Supervisor::show_time(std::size_t number) {
  process(number).set_clock(
      {options_.start.wall_ns + now_ns_ + wall_steps_ns_[number], options_.start.mono_ns + now_ns_});
}

std::string Supervisor::who_runs() {
  std::string names;
  for (const auto& process : processes_) {
    ThreadsLook look;
    const auto is_held = [&](pid_t thread) { return process->holds(thread); };
    if (process->is_running() && !look.add(process->process(), is_held)) {
      names +=
          fmt::format("{}{} (process {})", names.empty() ? "" : ", ", process->name(), process->process());
    }
  }
  return fmt::format("{} did not come to rest in {} s: it computes on and on, or never stops asking.",
                     names.empty() ? processes_.back()->name() : names,
                     static_cast<double>(options_.rest_limit_ms) / 1000);
}

}  // namespace holdfast::rest
