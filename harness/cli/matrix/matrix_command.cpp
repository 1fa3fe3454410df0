// holdfast matrix: locks × families of faults, and what disagrees with the expected table.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "harness/cli/matrix/baseline_text.h"
#include "harness/cli/matrix/cell_scope.h"
#include "harness/cli/matrix/matrix_text.h"
#include "harness/cli/matrix/matrix_why.h"
#include "harness/cli/report/report_data.h"
#include "harness/cli/terminal/commands.h"
#include "harness/cli/terminal/glob.h"
#include "harness/cli/terminal/server_option.h"
#include "harness/cli/terminal/world.h"
#include "harness/explore/parallel.h"
#include "harness/files/make_directory.h"
#include "harness/files/output_file.h"
#include "harness/machine/stopwatch.h"
#include "harness/matrix/baseline.h"
#include "harness/matrix/matrix.h"
#include "harness/text/bad_input.h"
#include "harness/text/text_width.h"
#include "locks/lookup/lookup.h"

namespace holdfast::cli {
namespace {

struct MatrixOptions {
  std::vector<std::string> locks;
  std::vector<std::string> families;
  std::string json;
  std::string baseline;
  std::string junit;
  std::string markdown;
  std::string out;
  bool update_baseline = false;
  bool confirm = false;
  std::string jobs;
  std::string seed = "1";
  bool notes = false;
  std::vector<std::string> servers;
  std::optional<std::string> why;  // a cell; empty: the worst of each lock
  bool deep = false;
  bool loss = false;
};

// Families go by both names: "pause" and "family-pause".
std::vector<std::string> without_prefix(std::vector<std::string> patterns) {
  for (std::string& pattern : patterns) {
    if (pattern.starts_with("family-")) {
      pattern.erase(0, std::string_view("family-").size());
    }
  }
  return patterns;
}

// "redis-px-cad/pause" means that cell and no other.
void choose_cell(MatrixOptions& options) {
  const std::size_t slash = options.why ? options.why->find('/') : std::string::npos;
  if (!options.why || options.why->empty()) {
    return;
  }
  if (slash == std::string::npos || !options.locks.empty() || !options.families.empty()) {
    throw BadInput(slash == std::string::npos
                       ? fmt::format("--why takes LOCK/FAMILY, such as redis-px-cad/pause, not \"{}\"",
                                     shortened(printable(*options.why), 60))
                       : "--why LOCK/FAMILY names its cell itself; leave --lock and --family out");
  }
  options.locks = {options.why->substr(0, slash)};
  options.families = {options.why->substr(slash + 1)};
}

Matrix select(const MatrixOptions& options, const Invocation& invocation) {
  Matrix matrix;
  matrix.first_seed = whole_number("--seed", options.seed, 0, greatest_seed);
  matrix.depth = options.deep ? SweepDepth::deep : SweepDepth::usual;
  check_patterns("lock", options.locks, lock_ids(), "holdfast list locks");
  for (const LockEntry& lock : all_locks()) {
    if (fits_any(lock.id, options.locks)) {
      matrix.locks.push_back(&lock);
    }
  }
  matrix.families = invocation.shelf.families();
  if (matrix.families.empty()) {
    throw BadInput(fmt::format("there is no family of faults in {}; a scenario is one if it has a \"column\"",
                               invocation.shelf.directory()));
  }
  std::vector<std::string> names;
  names.reserve(matrix.families.size());
  for (const Scenario& family : matrix.families) {
    names.push_back(family_name(family));
  }
  const std::vector<std::string> patterns = without_prefix(options.families);
  check_patterns("family", patterns, names, "holdfast list scenarios");
  std::erase_if(matrix.families,
                [&](const Scenario& family) { return !fits_any(family_name(family), patterns); });
  return matrix;
}

// Also of locks and families that are no more.
CellSelection selection_of(const MatrixOptions& options) {
  return [locks = options.locks, families = without_prefix(options.families)](std::string_view lock,
                                                                              std::string_view family) {
    return fits_any(lock, locks) && fits_any(family, families);
  };
}

// The baseline, where there is one to compare with or to change.
std::optional<EarlierMatrix> check_baseline_options(const MatrixOptions& options) {
  if (options.baseline.empty() && (options.update_baseline || !options.junit.empty())) {
    throw BadInput(
        fmt::format("{} needs a --baseline", options.update_baseline ? "--update-baseline" : "--junit"));
  }
  if (options.update_baseline && (!options.junit.empty() || !options.markdown.empty())) {
    throw BadInput(
        fmt::format("--update-baseline compares nothing, so there is nothing for {} to tell: leave one of "
                    "them out",
                    options.junit.empty() ? "--markdown" : "--junit"));
  }
  std::error_code problem;  // of looking: then the one of writing is told
  // A device or a pipe has nothing to be kept: what stands in a pipe of ours may be our own words.
  const bool is_new = options.update_baseline && (!std::filesystem::exists(options.baseline, problem) ||
                                                  !is_plain_output(options.baseline));
  return options.baseline.empty() || is_new ? std::nullopt : std::optional(read_baseline(options.baseline));
}

// What was asked for: better to find out now than after a minute that a file cannot be read or written.
std::optional<EarlierMatrix> check_files(const MatrixOptions& options) {
  std::optional<EarlierMatrix> earlier = check_baseline_options(options);
  const std::pair<const std::string&, const char*> files[] = {
      {options.json, "the matrix"}, {options.junit, "the JUnit report"}, {options.markdown, "the summary"}};
  for (const auto& [path, what] : files) {
    if (!path.empty()) {
      check_can_write(path, what);
    }
  }
  if (options.update_baseline) {
    check_can_write(options.baseline, "the baseline");
  }
  if (options.confirm && options.out.empty()) {
    throw BadInput("--confirm needs --out DIR, where the stories go that real servers are asked about");
  }
  if (!options.confirm && !options.servers.empty()) {
    throw BadInput("--server is for the real servers that --confirm asks; leave it out, or ask them");
  }
  if (options.confirm) {
    const World warp("warp", server_programs_from(options.servers));  // throws if this machine has none
  }
  if (!options.out.empty()) {
    make_directory(options.out, "");
  }
  return earlier;
}

int update_baseline(const Matrix& matrix, const MatrixOptions& options, Invocation& invocation) {
  const UpdatedBaseline update = updated_baseline(options.baseline, matrix, selection_of(options));
  write_file(options.baseline, update.text, "the baseline");
  invocation.output.print(fmt::format("{} is the baseline now: {} of this run, {} kept, {} gone.\n",
                                      options.baseline, counted(matrix.cells.size(), "cell"), update.kept,
                                      update.gone));
  return exit_well;
}

int compare_with_baseline(const Matrix& matrix, const MatrixOptions& options, const EarlierMatrix& earlier,
                          double seconds, Invocation& invocation) {
  const std::vector<Change> changes =
      changes_since(matrix, earlier.letters, selection_of(options), shrunk_story);
  invocation.output.print(changes_text(changes, invocation.terminal));
  if (!earlier.servers.empty() && !matrix.servers.empty() && earlier.servers != matrix.servers) {
    invocation.output.print(fmt::format("The baseline was confirmed on {}, this matrix on {}.\n",
                                        earlier.servers, matrix.servers));
  }
  if (!options.junit.empty()) {
    write_file(options.junit, junit_xml(matrix, changes, seconds), "the JUnit report");
  }
  if (!options.markdown.empty()) {
    write_file(options.markdown, changes_markdown(matrix, changes), "the summary");
  }
  return std::ranges::any_of(changes, &Change::is_worse) ? exit_violated : exit_well;
}

// Against the baseline if there is one, else against the expected table.
int judge(const Matrix& matrix, const MatrixOptions& options, const std::optional<EarlierMatrix>& earlier,
          const std::optional<ExpectedTable>& expected, double seconds, Invocation& invocation) {
  if (options.update_baseline) {
    return update_baseline(matrix, options, invocation);
  }
  if (earlier) {
    return compare_with_baseline(matrix, options, *earlier, seconds, invocation);
  }
  const auto list = expected ? std::optional(disagreements(matrix, *expected)) : std::nullopt;
  if (!options.markdown.empty()) {
    write_file(options.markdown, disagreements_markdown(matrix, list), "the summary");
  }
  if (!expected) {
    invocation.output.print(fmt::format("There is no expected.json in {}, so nothing can disagree with it.\n",
                                        invocation.shelf.directory()));
    return exit_well;
  }
  invocation.output.print(notes_text(matrix, *expected, options.notes));
  invocation.output.print(disagreements_text(matrix, *list, invocation.terminal));
  if (list->empty()) {
    return exit_well;
  }
  const bool is_undecided = std::ranges::all_of(*list, [&](const Disagreement& each) {
    return matrix.cell(each.row, each.column).letter == Letter::undecided;
  });
  return is_undecided ? exit_unknown : exit_violated;
}

void tell_why(const Matrix& matrix, std::size_t jobs, Invocation& invocation) {
  std::optional<ProgressBar> progress;
  const std::vector<WorstCell> worst = worst_cells(matrix, jobs, [&](std::size_t done, std::size_t all) {
    if (!progress) {
      progress.emplace("worst cells", all);
    }
    progress->advance_to(done);
  });
  progress.reset();
  invocation.output.print(worst_cells_text(matrix, worst, invocation.shelf.asked_for(), invocation.terminal));
}

int show_matrix(const MatrixOptions& asked, Invocation& invocation) {
  MatrixOptions options = asked;
  choose_cell(options);
  Matrix matrix = select(options, invocation);
  const std::uint64_t jobs =
      options.jobs.empty() ? default_jobs() : whole_number("--jobs", options.jobs, 1, 1024);
  const std::optional<ExpectedTable> expected = expected_table(invocation.shelf);
  const std::optional<EarlierMatrix> earlier = check_files(options);

  const Stopwatch stopwatch;
  {
    ProgressBar progress("cells", matrix.locks.size() * matrix.families.size());
    fill(matrix, jobs, [&](std::size_t done) { progress.advance_to(done); });
  }
  const double seconds = stopwatch.seconds();
  const auto write_json = [&] {
    if (!options.json.empty()) {
      write_file(options.json, matrix_json(matrix, expected ? &*expected : nullptr), "the matrix");
    }
  };
  write_json();

  Output& output = invocation.output;
  output.print(matrix_text(matrix, invocation.terminal));
  output.print(fmt::format("\n{} runs in {:.1f} s, {:.0f} runs/s with {} {}\n\n", matrix.runs(), seconds,
                           static_cast<double>(matrix.runs()) / std::max(seconds, 1e-6), jobs,
                           jobs == 1 ? "job" : "jobs"));
  if (options.loss) {
    output.print(loss_text(matrix, invocation.terminal));
  }
  if (options.why) {
    tell_why(matrix, jobs, invocation);
    if (!options.why->empty()) {
      output.print(scopes_text(matrix, invocation.terminal));
    }
  }
  const bool is_confirmed =
      options.out.empty() || write_report_data(matrix,
                                               {.directory = options.out,
                                                .jobs = jobs,
                                                .confirm = options.confirm,
                                                .programs = server_programs_from(options.servers),
                                                .server_words = server_words(options.servers)},
                                               invocation);
  if (!matrix.servers.empty()) {
    write_json();  // now that it is known who confirmed it
  }
  const int result = judge(matrix, options, earlier, expected, seconds, invocation);
  return is_confirmed ? result : exit_violated;
}

}  // namespace

void add_matrix_command(CLI::App& app, Handler& chosen) {
  const auto options = std::make_shared<MatrixOptions>();
  Subcommand(app, "matrix",
             "Tries every lock under every family of faults, at every step the fault can strike, and "
             "compares the letters with the expected table.")
      .options("--lock", options->locks, "only locks that fit this, such as 'redis-px-*'; repeatable",
               "PATTERN")
      .options("--family", options->families, "only families that fit this; repeatable", "PATTERN")
      .option("--json", options->json, "also write every cell to this file", "FILE")
      .option("--jobs", options->jobs, "threads; as many as there are processors unless given", "N")
      .option("--seed", options->seed, "the first seed", "N")
      .option("--baseline", options->baseline,
              "compare with this earlier matrix: what got worse is exit code 1", "FILE")
      .flag("--update-baseline", options->update_baseline,
            "write the baseline instead; with --lock or --family only those cells of it")
      .option("--junit", options->junit, "with --baseline: each cell as a test case, for a CI server", "FILE")
      .option("--markdown", options->markdown,
              "a summary for a pull request: against the baseline, else the expected table", "FILE")
      .option("--out", options->out,
              "the data of a report, with the story of every cell: see holdfast report", "DIR")
      .flag("--confirm", options->confirm,
            "with --out: ask real servers, on virtual time, about each shrunk story")
      .with(add_server_option, options->servers)
      .flag_or_option(
          "--why", options->why,
          "under the matrix, for each lock: its worst cell, the least that brings it about, and the command "
          "of the run that this was found as; with LOCK/FAMILY of this cell, and all that was tried and not "
          "tried for its letter",
          "LOCK/FAMILY")
      .flag("--deep", options->deep,
            "try all there is of every cell: every seed in every shape, also what can show nothing new, and "
            "on after the letter cannot get worse; without it a cell that did harm is done")
      .flag("--loss", options->loss,
            "under the matrix, for each lock: what a holder is told that lost the lock, and when")
      .flag("--notes", options->notes, "list where reasoning was wrong, and cells nothing is expected of")
      .footer(
          "Exit codes: 0 nothing disagrees, 1 something does, 2 bad input, 3 what disagrees is undecided "
          "(U).")
      .act(chosen, [options](Invocation& invocation) { return show_matrix(*options, invocation); });
}

}  // namespace holdfast::cli
