// holdfast envelope LOCK: how far two quantities can go before the lock breaks, and its certificate.
#include <fmt/format.h>

#include <memory>

#include "harness/cli/story/told_run.h"
#include "harness/cli/terminal/commands.h"
#include "harness/explore/envelope.h"
#include "harness/explore/envelope_json.h"
#include "harness/files/output_file.h"
#include "harness/text/bad_input.h"
#include "harness/text/text_width.h"
#include "locks/lookup/lookup.h"

namespace holdfast::cli {
namespace {

struct EnvelopeOptions {
  std::string lock;
  std::string x = "pause";
  std::string y = "ttl";
  std::string columns = "41";
  std::string rows = "20";
  std::string json;
};

const Quantity& quantity_called(const std::string& option, const std::string& name) {
  const Quantity* const found = find_quantity(name);
  if (found == nullptr) {
    std::vector<std::string> names;
    for (const Quantity& quantity : all_quantities()) {
      names.emplace_back(quantity.name);
    }
    throw unknown_word("quantity for " + option, name, names, "holdfast envelope --help");
  }
  return *found;
}

std::string border_cell(std::int64_t value, const Envelope& envelope) {
  const Quantity& x = *envelope.x;
  return value < 0                                       ? "never"
         : value == (x.more_is_safer ? x.least : x.most) ? "always"
                                                         : std::to_string(value);
}

std::string envelope_text(const Envelope& envelope, const Terminal& terminal) {
  std::string text = fmt::format("{}: {} ({}) across, {} ({}) down\n\n", envelope.lock->id, envelope.x->about,
                                 envelope.x->unit, envelope.y->about, envelope.y->unit);
  text += fmt::format("{:>8}  {:<{}}  {:>9}  {:>9}\n", envelope.y->name,
                      fmt::format("{} {} … {}", envelope.x->name, envelope.xs.front(), envelope.xs.back()),
                      envelope.xs.size(), "holds", "safe");
  for (auto row = envelope.rows.rbegin(); row != envelope.rows.rend(); ++row) {
    std::string letters;
    for (const Letter letter : row->letters) {
      letters += painted(to_text(letter), color_of(letter), terminal.color);
    }
    text += fmt::format("{:>8}  {}  {:>9}  {:>9}\n", row->y, letters, border_cell(row->holds_up_to, envelope),
                        border_cell(row->safe_up_to, envelope));
  }
  return text + fmt::format(
                    "\nholds: the {} {} at which nobody else gets the lock; safe: at which the "
                    "resource is still protected. {} runs.\n",
                    envelope.x->more_is_safer ? "least" : "largest", envelope.x->name, envelope.runs);
}

int envelope(const EnvelopeOptions& options, Invocation& invocation) {
  if (options.lock.empty()) {
    throw BadInput("envelope wants to know which lock; \"holdfast list locks\" shows them");
  }
  const LockEntry& lock = lock_called(options.lock);
  const Quantity& x = quantity_called("--x", options.x);
  const Quantity& y = quantity_called("--y", options.y);
  if (&x == &y) {
    throw BadInput("--x and --y must be two different quantities");
  }
  if (lock.kind != LockKind::mutex) {
    throw BadInput(fmt::format("{} is no lock that one client holds, so it has no envelope", lock.id));
  }
  if (!options.json.empty()) {
    check_can_write(options.json, "the envelope");
  }
  Simulation simulation;
  const Envelope found =
      find_envelope(simulation, lock, x, y, whole_number("--columns", options.columns, 2, 200),
                    whole_number("--rows", options.rows, 2, 200));
  const std::string paragraph = certificate(simulation, lock);
  if (!options.json.empty()) {
    write_file(options.json, envelope_json_text(found, paragraph), "the envelope");
  }
  invocation.output.print(envelope_text(found, invocation.terminal));
  invocation.output.print("\n");
  for (const std::string& line :
       wrapped(paragraph, std::min<std::size_t>(invocation.terminal.width, 100), 50)) {
    invocation.output.print(line + "\n");
  }
  return exit_well;
}

}  // namespace

void add_envelope_command(CLI::App& app, Handler& chosen) {
  std::string footer = "Quantities:\n";
  for (const Quantity& quantity : all_quantities()) {
    footer += fmt::format("  {:<9}{} ({})\n", quantity.name, quantity.about, quantity.unit);
  }
  const auto options = std::make_shared<EnvelopeOptions>();
  Subcommand(app, "envelope", "How far two quantities can go before a lock breaks, and its certificate.")
      .word("LOCK", options->lock, "a lock (holdfast list locks)")
      .option("--x", options->x, "the quantity whose border is found", "NAME")
      .option("--y", options->y, "the one that is swept", "NAME")
      .option("--columns", options->columns, "how many values of x are shown", "N")
      .option("--rows", options->rows, "how many values of y there are", "N")
      .option("--json", options->json, "also write it to this file", "FILE")
      .footer(footer + "Exit codes: 0 well, 2 bad input.")
      .act(chosen, [options](Invocation& invocation) { return envelope(*options, invocation); });
}

}  // namespace holdfast::cli
