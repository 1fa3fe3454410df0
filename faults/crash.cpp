// crash: the process dies and stays dead; with `thread`, only that thread dies and the process lives on.
// thread-crash: the same of the thread that takes the step, so that a sweep can try it at every one.
// crash-restart: it comes back after a while with empty memory and begins its work anew.
//
// What it had sent is still executed; what it held in memory is gone. In `live` this is SIGKILL.
#include <fmt/format.h>

#include "faults/faults.h"

namespace holdfast::faults {
namespace {

constexpr std::array crash_options{
    Option{.name = "thread", .kind = OptionKind::thread, .meaning = "only this thread of the client dies"}};
constexpr const Option& thread_option = crash_options[0];

std::string dies_text(std::int64_t thread) {
  return fmt::format("thread {} dies", thread);
}

std::uint32_t thread_at_step(const Strike& strike) {
  require(strike.step != nullptr && strike.step->client == strike.target,
          "a thread dies at a step of its own");
  return strike.step->thread;
}

}  // namespace

FaultEntry crash() {
  return {.id = "crash",
          .summary = "the process (or one thread of it) dies",
          .options = crash_options,
          .strikes_clients = true,
          .strikes_servers = true,
          .excuses_waiting = false,
          .phases = client_phases,
          .begin =
              [](Strike& strike) {
                strike.ended_thread = static_cast<std::uint32_t>(strike.count(thread_option));
                if (strike.ended_thread != 0) {
                  strike.world->kernel.kill_thread(strike.target, strike.ended_thread - 1);
                } else {
                  strike.world->kernel.crash(strike.target);
                }
              },
          .end = nullptr,
          .describe =
              [](const Strike& strike) {
                const std::int64_t thread = strike.count(thread_option);
                return thread == 0 ? std::string("crashes") : dies_text(thread);
              }};
}

FaultEntry thread_crash() {
  return {.id = "thread-crash",
          .summary = "the thread that takes the step dies, its process lives on",
          .strikes_clients = true,
          .strikes_servers = false,
          .strikes_threads = true,
          .excuses_waiting = false,
          .phases = client_phases,
          .begin =
              [](Strike& strike) {
                strike.ended_thread = thread_at_step(strike);
                strike.world->kernel.kill_thread(strike.target, strike.ended_thread - 1);
              },
          .end = nullptr,
          .describe = [](const Strike& strike) { return dies_text(thread_at_step(strike)); }};
}

FaultEntry crash_restart() {
  return {.id = "crash-restart",
          .summary = "the process dies and begins anew after a while, with empty memory",
          .lasting = Lasting::for_or_until,
          .strikes_clients = true,
          .strikes_servers = false,
          .excuses_waiting = false,
          .phases = client_phases,
          .begin =
              [](Strike& strike) {
                strike.world->kernel.hold_open();
                strike.world->kernel.crash(strike.target);
              },
          .end =
              [](Strike& strike) {
                strike.world->kernel.restart(strike.target);
                strike.world->kernel.let_close();
              },
          .describe =
              [](const Strike& strike) {
                return fmt::format("crashes, restarts after {}", to_text(strike.lasts));
              }};
}

}  // namespace holdfast::faults
