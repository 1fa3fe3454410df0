// The commands of the program, one file each.
//
// Each adds its subcommand to the parser; when the user chose it, `chosen` becomes what there is to do.
// Nothing is done while parsing, so that a mistake later on the line is found before anything runs.
#pragma once

#include <cstdint>
#include <string>

#include "harness/check/letter.h"
#include "harness/cli/terminal/output.h"
#include "harness/cli/terminal/subcommand.h"
#include "harness/cli/terminal/terminal.h"
#include "harness/scenario/shelf/shelf.h"

namespace holdfast::cli {

enum ExitCode : int {
  exit_well = 0,
  exit_violated = 1,   // a property is violated, or something is not as expected
  exit_bad_input = 2,  // also when something cannot be written
  exit_unknown = 3,    // a checker met its limit of time or memory, or a run is undecided
  // 70: a bug in holdfast itself, see harness/kernel/require.h
};

// Of a run, or of several by the worst of them.
constexpr ExitCode exit_code_of(Letter letter) {
  return letter == Letter::safe ? exit_well : letter == Letter::undecided ? exit_unknown : exit_violated;
}

// What every command is given.
struct Invocation {
  Output& output;
  Terminal terminal;
  Shelf shelf;
};

void add_list_command(CLI::App& app, Handler& chosen);
void add_run_command(CLI::App& app, Handler& chosen);
void add_replay_command(CLI::App& app, Handler& chosen);
void add_matrix_command(CLI::App& app, Handler& chosen);
void add_mutants_command(CLI::App& app, Handler& chosen);
void add_check_command(CLI::App& app, Handler& chosen);
void add_confirm_command(CLI::App& app, Handler& chosen);
void add_explore_command(CLI::App& app, Handler& chosen);
void add_merge_command(CLI::App& app, Handler& chosen);
void add_envelope_command(CLI::App& app, Handler& chosen);
void add_report_command(CLI::App& app, Handler& chosen);
void add_bench_command(CLI::App& app, Handler& chosen);
void add_clean_command(CLI::App& app, Handler& chosen);
void add_rest_command(CLI::App& app, Handler& chosen);

// The number an option was given. Throws BadInput unless it is a whole number from `least` to `most`.
std::uint64_t whole_number(std::string_view option, const std::string& text, std::uint64_t least,
                           std::uint64_t most);
constexpr std::uint64_t greatest_seed = UINT64_MAX;

}  // namespace holdfast::cli
