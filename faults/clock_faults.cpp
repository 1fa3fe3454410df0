// clock-jump: the clock is set forward or back at once.
// clock-drift: the clock runs too fast or too slow for a while (and keeps what it gained).
// clock-steps: the same distance as a jump in many small steps, as a careful operator does it (001:L365).
//
// All three change what one process's clock says, never true time. In `warp` and `live` they go through
// that process's clock page.
#include <fmt/format.h>

#include "faults/faults.h"

namespace holdfast::faults {
namespace {

constexpr std::int64_t whole_in_millionths = 1'000'000;

constexpr Option distance_option{.name = "by",
                                 .kind = OptionKind::signed_duration,
                                 .meaning = "how far the clock is set; negative: back",
                                 .is_required = true,
                                 .shrinks = true};
constexpr Option every_option{.name = "every",
                              .kind = OptionKind::positive_duration,
                              .meaning = "the time between two of the steps",
                              .is_required = true};
constexpr Option steps_option{.name = "steps",
                              .kind = OptionKind::count,
                              .meaning = "in how many steps",
                              .least = 1,
                              .most = 10'000,
                              .usual_count = 10};
constexpr Option drift_option{
    .name = "parts_per_million",
    .kind = OptionKind::count,
    .meaning = "how much too fast the clock runs; negative: too slow",
    .least = 1 - whole_in_millionths,
    .most = whole_in_millionths,
    .is_required = true,
    .why_not_zero = "a drift of 0 is none; expected for example 50000, five per cent fast"};
constexpr std::array<std::string_view, 3> clock_words{"wall", "monotonic", "both"};
constexpr Option clock_option{.name = "clock",
                              .kind = OptionKind::word,
                              .meaning = "which clock of the process",
                              .what = "clock",
                              .words = clock_words,
                              .usual_word = "wall"};
constexpr std::array clock_jump_options{distance_option, clock_option};
constexpr std::array clock_drift_options{drift_option, clock_option};
constexpr std::array clock_steps_options{distance_option, every_option, steps_option, clock_option};

bool is_of_wall_only(const FaultSpec& spec) {
  return spec.options.word(clock_option) == "wall";
}

template <typename Act>
void for_each_clock(const Strike& strike, Act act) {
  const std::string clock = strike.word(clock_option);
  if (clock != "monotonic") {
    act(ClockKind::wall);
  }
  if (clock != "wall") {
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
      strike.distance_left / strike.steps_left;  // of what is left, so that nothing is lost to rounding
  --strike.steps_left;
  strike.distance_left -= step;
  jump(strike, step);
  Kernel& kernel = strike.world->kernel;
  kernel.call_at(
      world_process, kernel.now() + strike.duration(every_option),
      [](void* context, std::uint64_t) { take_small_step(*static_cast<Strike*>(context)); }, &strike, 0);
}

// "+5 s", "-5 s"
std::string distance_text(const Strike& strike) {
  const Duration by = strike.duration(distance_option);
  return (by > Duration::zero() ? "+" : "") + to_text(by);
}

}  // namespace

FaultEntry clock_jump() {
  return {.id = "clock-jump",
          .summary = "a clock is set forward or back at once",
          .options = clock_jump_options,
          .strikes_clients = true,
          .strikes_servers = true,
          .excuses_waiting = false,
          .is_of_wall_only = is_of_wall_only,
          .phases = any_phases,
          .begin = [](Strike& strike) { jump(strike, strike.duration(distance_option)); },
          .end = nullptr,
          .describe =
              [](const Strike& strike) { return fmt::format("its clock jumps {}", distance_text(strike)); }};
}

FaultEntry clock_drift() {
  return {.id = "clock-drift",
          .summary = "a clock runs too fast or too slow for a while",
          .options = clock_drift_options,
          .lasting = Lasting::for_a_while,
          .strikes_clients = true,
          .strikes_servers = true,
          .excuses_waiting = false,
          .is_of_wall_only = is_of_wall_only,
          .phases = any_phases,
          .begin =
              [](Strike& strike) {
                set_rate(strike, Clock::true_rate +
                                     strike.count(drift_option) * (Clock::true_rate / whole_in_millionths));
              },
          .end = [](Strike& strike) { set_rate(strike, Clock::true_rate); },
          .describe =
              [](const Strike& strike) {
                return fmt::format("its clock runs {:+g} % for {}",
                                   static_cast<double>(strike.count(drift_option)) / 10'000.0,
                                   to_text(strike.lasts));
              }};
}

FaultEntry clock_steps() {
  return {.id = "clock-steps",
          .summary = "a clock is moved the same distance in many small steps",
          .options = clock_steps_options,
          .strikes_clients = true,
          .strikes_servers = true,
          .excuses_waiting = false,
          .is_of_wall_only = is_of_wall_only,
          .phases = any_phases,
          .begin =
              [](Strike& strike) {
                strike.steps_left = strike.count(steps_option);
                strike.distance_left = strike.duration(distance_option);
                take_small_step(strike);
              },
          .end = nullptr,
          .describe =
              [](const Strike& strike) {
                return fmt::format("its clock is moved {} in {} steps", distance_text(strike),
                                   strike.count(steps_option));
              }};
}

}  // namespace holdfast::faults
