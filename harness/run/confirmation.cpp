#include "harness/run/confirmation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/history/jsonl.h"
#include "harness/machine/stopwatch.h"

namespace holdfast {
namespace {

std::vector<std::string> lines_of_run(Simulation& simulation, const RunRequest& request, RunReport& report) {
  report = simulation.run(request);
  std::vector<std::string> lines;
  for (const Event& event : simulation.history().events()) {
    lines.push_back(to_json_line(event, simulation.history()));
  }
  return lines;
}

std::string line_or_end(const std::vector<std::string>& lines, std::size_t index) {
  return index < lines.size() ? lines[index] : "(the run is over)";
}

}  // namespace

Confirmation Confirmer::confirm(RunRequest request,
                                const std::function<std::unique_ptr<Strategy>()>& strategy) {
  request.details = true;
  request.sink = nullptr;
  const std::unique_ptr<Strategy> for_sim = strategy ? strategy() : nullptr;
  const std::unique_ptr<Strategy> for_warp = strategy ? strategy() : nullptr;

  Confirmation confirmation;
  request.strategy = for_sim.get();
  const std::vector<std::string> expected = lines_of_run(sim_, request, confirmation.modelled);
  request.strategy = for_warp.get();
  const Stopwatch stopwatch;
  const std::vector<std::string> actual = lines_of_run(warp_, request, confirmation.real);
  confirmation.real_seconds = stopwatch.seconds();
  confirmation.server = real_.name_of(store_called(request.lock->needs.store));

  const auto parted = std::ranges::mismatch(expected, actual);
  confirmation.events = static_cast<std::size_t>(parted.in1 - expected.begin());
  confirmation.is_confirmed = parted.in1 == expected.end() && parted.in2 == actual.end() &&
                              confirmation.modelled.fingerprint == confirmation.real.fingerprint;
  if (!confirmation.is_confirmed) {
    confirmation.difference =
        fmt::format("  the model: {}\n  the server: {}\n", line_or_end(expected, confirmation.events),
                    line_or_end(actual, confirmation.events));
  }
  return confirmation;
}

std::string to_text(const Confirmation& confirmation) {
  if (!confirmation.is_confirmed) {
    return fmt::format("not confirmed on {}: after {} equal events they part.\n{}", confirmation.server,
                       confirmation.events, confirmation.difference);
  }
  const double virtual_seconds = std::chrono::duration<double>(confirmation.real.true_time).count();
  return fmt::format(
      "confirmed on {}: the same {} events and the same letter, {} ({:.1f} s of its time in {:.3f} s)\n",
      confirmation.server, confirmation.events, to_text(confirmation.real.letter), virtual_seconds,
      confirmation.real_seconds);
}

std::string to_sentence(const Confirmation& confirmation) {
  return confirmation.is_confirmed
             ? fmt::format("{} does the same: {} events and the letter {}", confirmation.server,
                           confirmation.events, to_text(confirmation.real.letter))
             : fmt::format("{} does something else after {} equal events", confirmation.server,
                           confirmation.events);
}

}  // namespace holdfast
