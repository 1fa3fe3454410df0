#include "harness/cli/report/report_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/list/list_json.h"
#include "harness/cli/report/cell_story.h"
#include "harness/cli/story/told_run.h"
#include "harness/cli/terminal/output.h"
#include "harness/cli/terminal/world.h"
#include "harness/explore/envelope.h"
#include "harness/explore/envelope_json.h"
#include "harness/explore/parallel.h"
#include "harness/files/directory.h"
#include "harness/files/output_file.h"
#include "harness/text/shell_word.h"

namespace holdfast::cli {
namespace {

using ReportJson = nlohmann::ordered_json;

// Enough for a picture; "holdfast envelope" shows more.
constexpr std::size_t envelope_columns = 21;
constexpr std::size_t envelope_rows = 6;

std::vector<CellAnswer> write_stories(const Matrix& matrix, const ReportDataOptions& options) {
  std::vector<CellAnswer> answers(matrix.cells.size());
  ProgressBar progress("stories", matrix.cells.size());
  const auto make_worker = [&]() -> ParallelWorker {
    const auto simulation = std::make_shared<Simulation>();
    const auto confirmer = options.confirm ? std::make_shared<WarpConfirmer>(options.programs) : nullptr;
    return [&, simulation, confirmer](std::size_t index) {
      answers[index] =
          write_cell_story(*simulation, matrix, index, options.directory, confirmer ? &**confirmer : nullptr);
    };
  };
  in_parallel(matrix.cells.size(), options.jobs, make_worker,
              [&](std::size_t done) { progress.advance_to(done); });
  return answers;
}

// What a lock endures, in words and as a picture.
void write_envelopes(const Matrix& matrix, const ReportDataOptions& options) {
  std::vector<std::string> paragraphs(matrix.locks.size());
  ProgressBar progress("certificates", matrix.locks.size());
  const auto make_worker = [&]() -> ParallelWorker {
    const auto simulation = std::make_shared<Simulation>();
    return [&, simulation](std::size_t index) {
      const LockEntry& lock = *matrix.locks[index];
      if (lock.kind != LockKind::mutex) {
        return;
      }
      paragraphs[index] = certificate(*simulation, lock);
      if (lock.ttl == Duration::zero()) {
        return;  // without a lease there is nothing to draw
      }
      const Envelope envelope = find_envelope(*simulation, lock, *find_quantity("pause"),
                                              *find_quantity("ttl"), envelope_columns, envelope_rows);
      write_file(fmt::format("{}/envelopes/{}--pause--ttl.json", options.directory, lock.id),
                 envelope_json_text(envelope, paragraphs[index]), "an envelope");
    };
  };
  in_parallel(paragraphs.size(), options.jobs, make_worker,
              [&](std::size_t done) { progress.advance_to(done); });
  ReportJson json = ReportJson::object();
  for (std::size_t index = 0; index < paragraphs.size(); ++index) {
    if (!paragraphs[index].empty()) {
      json[std::string(matrix.locks[index]->id)] = paragraphs[index];
    }
  }
  write_file(options.directory + "/certificates.json", json.dump(1) + "\n", "the certificates");
}

std::ptrdiff_t count_of(CellConfirmation confirmation, const std::vector<CellAnswer>& answers) {
  return std::ranges::count(answers, confirmation, &CellAnswer::confirmation);
}

std::string confirmations_text(const Matrix& matrix, const std::vector<CellAnswer>& answers,
                               const ReportDataOptions& options) {
  const auto in_other_words = count_of(CellConfirmation::agrees_in_other_words, answers);
  const auto agree = count_of(CellConfirmation::agrees, answers) + in_other_words;
  const auto differ = count_of(CellConfirmation::differs, answers);
  std::string text = fmt::format(
      "{} of {} shrunk stories came out the same on {}{}\n", agree, agree + differ,
      matrix.servers.empty() ? "the real server" : matrix.servers,
      in_other_words == 0
          ? ""
          : fmt::format(", {} of them with errors of the same kind in other words", in_other_words));
  for (std::size_t index = 0; index < answers.size(); ++index) {
    if (answers[index].confirmation == CellConfirmation::differs) {
      const std::string name = cell_story_name(matrix, index);
      text += fmt::format("  {} did not: holdfast confirm {}{}\n", name,
                          shell_word(fmt::format("{}/scenarios/{}.log", options.directory, name)),
                          options.server_words);
    }
  }
  return text + "\n";
}

}  // namespace

bool write_report_data(Matrix& matrix, const ReportDataOptions& options, Invocation& invocation) {
  for (const char* part : {"stories", "scenarios", "envelopes"}) {
    make_directory(options.directory, part);
  }
  const std::optional<ExpectedTable> expected = expected_table(invocation.shelf);
  write_file(options.directory + "/locks.json", locks_json_text(), "the catalog");
  const std::vector<CellAnswer> answers = write_stories(matrix, options);
  for (const CellAnswer& answer : answers) {
    matrix.servers = answer.server.empty() ? matrix.servers : answer.server;
  }
  write_file(options.directory + "/matrix.json", matrix_json(matrix, expected ? &*expected : nullptr),
             "the matrix");
  write_envelopes(matrix, options);
  if (options.confirm) {
    invocation.output.print(confirmations_text(matrix, answers, options));
  }
  return count_of(CellConfirmation::differs, answers) == 0;
}

}  // namespace holdfast::cli
