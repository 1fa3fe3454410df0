#include "harness/run/confirmation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/history/jsonl.h"
#include "harness/machine/stopwatch.h"
#include "harness/text/bad_input.h"

namespace holdfast {
namespace {

RunLines lines_of_run(Simulation& simulation, const RunRequest& request, RunReport& report) {
  report = simulation.run(request);
  const Store& store = store_called(request.lock->needs.store);
  const History& history = simulation.history();
  RunLines lines;
  for (const Event& event : history.events()) {
    std::string line = to_json_line(event, history);
    lines.exact.push_back(line);
    const std::string& text = history.text(event);
    const std::string kind = store.with_errors_by_kind(text);
    if (kind != text) {
      const std::string words = json_string(text);
      line.replace(line.rfind(words), words.size(), json_string(kind));
    }
    lines.by_kind.push_back(std::move(line));
  }
  return lines;
}

std::string line_or_end(const std::vector<std::string>& lines, std::size_t index) {
  return index < lines.size() ? lines[index] : "(the run is over)";
}

}  // namespace

Confirmation Confirmer::confirm(RunRequest request,
                                const std::function<std::unique_ptr<Strategy>()>& strategy) {
  if (!can_ask_about(*request.lock)) {
    throw BadInput(fmt::format(
        "{} uses no server that could confirm anything: there is no real one to ask; leave --confirm out",
        request.lock->id));
  }
  request.details = true;
  request.sink = nullptr;
  const std::unique_ptr<Strategy> for_sim = strategy ? strategy() : nullptr;
  const std::unique_ptr<Strategy> for_warp = strategy ? strategy() : nullptr;

  Confirmation confirmation;
  request.strategy = for_sim.get();
  const RunLines expected = lines_of_run(sim_, request, confirmation.modelled);
  request.strategy = for_warp.get();
  const Stopwatch stopwatch;
  const RunLines actual = lines_of_run(warp_, request, confirmation.real);
  confirmation.real_seconds = stopwatch.seconds();
  confirmation.server = real_.name_of(store_called(request.lock->needs.store));

  compare(confirmation, expected, actual);
  return confirmation;
}

void compare(Confirmation& confirmation, const RunLines& modelled, const RunLines& real) {
  const auto side_by_side = [&](std::size_t index) {
    return fmt::format("  the model: {}\n  the server: {}\n", line_or_end(modelled.exact, index),
                       line_or_end(real.exact, index));
  };
  const auto parted = std::ranges::mismatch(modelled.by_kind, real.by_kind);
  const auto parted_in_words = std::ranges::mismatch(modelled.exact, real.exact);
  const bool are_same = parted.in1 == modelled.by_kind.end() && parted.in2 == real.by_kind.end();
  const bool are_same_words =
      parted_in_words.in1 == modelled.exact.end() && parted_in_words.in2 == real.exact.end();
  confirmation.events = static_cast<std::size_t>(parted.in1 - modelled.by_kind.begin());
  confirmation.is_confirmed = are_same && confirmation.modelled.letter == confirmation.real.letter;
  if (!are_same) {
    confirmation.difference = side_by_side(confirmation.events);
  } else if (!confirmation.is_confirmed) {
    confirmation.difference =
        fmt::format("  the model: the letter {}\n  the server: the letter {}\n",
                    to_text(confirmation.modelled.letter), to_text(confirmation.real.letter));
  } else if (!are_same_words) {
    confirmation.other_words =
        side_by_side(static_cast<std::size_t>(parted_in_words.in1 - modelled.exact.begin()));
  } else {  // the fingerprint has the words of errors in it
    confirmation.differs_unseen = confirmation.modelled.fingerprint != confirmation.real.fingerprint;
  }
}

std::string to_text(const Confirmation& confirmation) {
  if (!confirmation.is_confirmed) {
    return fmt::format("not confirmed on {}: after {} equal events they part.\n{}", confirmation.server,
                       confirmation.events, confirmation.difference);
  }
  const double virtual_seconds = std::chrono::duration<double>(confirmation.real.true_time).count();
  return fmt::format(
      "confirmed on {}: the same {} events and the same letter, {} ({:.1f} s of its time in {:.3f} s)\n{}{}",
      confirmation.server, confirmation.events, to_text(confirmation.real.letter), virtual_seconds,
      confirmation.real_seconds,
      confirmation.other_words.empty()
          ? ""
          : "errors are of the same kind, but it words them otherwise:\n" + confirmation.other_words,
      confirmation.differs_unseen
          ? "what no history tells was not the same, such as what servers said among themselves\n"
          : "");
}

std::string to_sentence(const Confirmation& confirmation) {
  return confirmation.is_confirmed
             ? fmt::format("{} does the same: {} events and the letter {}{}", confirmation.server,
                           confirmation.events, to_text(confirmation.real.letter),
                           confirmation.other_words.empty() ? "" : "; it words errors otherwise")
             : fmt::format("{} does something else after {} equal events", confirmation.server,
                           confirmation.events);
}

}  // namespace holdfast
