// clock-jump: the clock is set forward or back at once.
// clock-drift: the clock runs too fast or too slow for a while (and keeps what it gained).
// clock-steps: the same distance as a jump in many small steps, as a careful operator does it (001:L365).
//
// All three change what one process's clock says, never true time. In `warp` and `live` they go through
// that process's clock page.
// Reads: on, clock (wall, monotonic, both), at; jump: by; drift: parts_per_million, lasts; steps: by, steps,
// every.
#include <fmt/format.h>

#include "faults/faults.h"

namespace holdfast::faults {
namespace {

template <typename Act>
void for_each_clock(const Strike& strike, Act act) {
  if (strike.spec->clock != "monotonic") {
    act(ClockKind::wall);
  }
  if (strike.spec->clock != "wall") {
    act(ClockKind::monotonic);
  }
}

void jump(const Strike& strike, Duration by) {
  for_each_clock(strike, [&](ClockKind kind) { strike.world->kernel.jump_clock(strike.target, kind, by); });
}

void set_rate(const Strike& strike, std::int64_t rate) {
  for_each_clock(strike,
                 [&](ClockKind kind) { strike.world->kernel.set_clock_rate(strike.target, kind, rate); });
}

// One of the small steps; schedules the next.
void take_small_step(Strike& strike) {
  if (strike.steps_left == 0) {
    return;
  }
  const Duration step =
      strike.by / strike.steps_left;  // of what is left, so that nothing is lost to rounding
  --strike.steps_left;
  strike.by -= step;
  jump(strike, step);
  Kernel& kernel = strike.world->kernel;
  kernel.call_at(
      world_process, kernel.now() + strike.every,
      [](void* context, std::uint64_t) { take_small_step(*static_cast<Strike*>(context)); }, &strike, 0);
}

}  // namespace

FaultEntry clock_jump() {
  return {.id = "clock-jump",
          .summary = "a clock is set forward or back at once",
          .parameters = "on, by, clock, at",
          .strikes_clients = true,
          .strikes_servers = true,
          .excuses_waiting = false,
          .phases = any_phases,
          .begin = [](Strike& strike) { jump(strike, strike.by); },
          .end = nullptr,
          .describe =
              [](const Strike& strike) {
                return fmt::format("its clock jumps {}{}", strike.by.count() > 0 ? "+" : "",
                                   to_text(strike.by));
              }};
}

FaultEntry clock_drift() {
  return {.id = "clock-drift",
          .summary = "a clock runs too fast or too slow for a while",
          .parameters = "on, parts_per_million, clock, at, for",
          .strikes_clients = true,
          .strikes_servers = true,
          .excuses_waiting = false,
          .phases = any_phases,
          .begin =
              [](Strike& strike) {
                set_rate(strike,
                         Clock::true_rate + strike.spec->parts_per_million * (Clock::true_rate / 1'000'000));
              },
          .end = [](Strike& strike) { set_rate(strike, Clock::true_rate); },
          .describe =
              [](const Strike& strike) {
                return fmt::format("its clock runs {:+g} % for {}",
                                   static_cast<double>(strike.spec->parts_per_million) / 10'000.0,
                                   to_text(strike.lasts));
              }};
}

FaultEntry clock_steps() {
  return {.id = "clock-steps",
          .summary = "a clock is moved the same distance in many small steps",
          .parameters = "on, by, steps, every, clock, at",
          .strikes_clients = true,
          .strikes_servers = true,
          .excuses_waiting = false,
          .phases = any_phases,
          .begin =
              [](Strike& strike) {
                strike.steps_left = strike.spec->steps;
                take_small_step(strike);
              },
          .end = nullptr,
          .describe =
              [](const Strike& strike) {
                return fmt::format("its clock is moved {}{} in {} steps", strike.by.count() > 0 ? "+" : "",
                                   to_text(strike.by), strike.spec->steps);
              }};
}

}  // namespace holdfast::faults
