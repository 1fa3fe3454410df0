// crash: the process dies and stays dead; with `thread`, only that thread dies and the process lives on.
// crash-restart: it comes back after a while with empty memory and begins its work anew.
//
// What it had sent is still executed; what it held in memory is gone. In `live` this is SIGKILL.
// Reads: on, at; crash: thread; crash-restart: lasts or until.
#include <fmt/format.h>

#include "faults/faults.h"

namespace holdfast::faults {

FaultEntry crash() {
  return {.id = "crash",
          .summary = "the process (or one thread of it) dies",
          .parameters = "on, at, thread",
          .strikes_clients = true,
          .strikes_servers = true,
          .excuses_waiting = false,
          .phases = client_phases,
          .begin =
              [](Strike& strike) {
                if (strike.spec->thread != 0) {
                  strike.world->kernel.kill_thread(strike.target, strike.spec->thread - 1);
                } else {
                  strike.world->kernel.crash(strike.target);
                }
              },
          .end = nullptr,
          .describe =
              [](const Strike& strike) {
                return strike.spec->thread == 0 ? std::string("crashes")
                                                : fmt::format("thread {} dies", strike.spec->thread);
              }};
}

FaultEntry crash_restart() {
  return {.id = "crash-restart",
          .summary = "the process dies and is started again after a while",
          .parameters = "on, at, for | until",
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
