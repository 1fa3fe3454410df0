// holdfast run SCENARIO: one run, told event by event; of a family without --place the worst of all its runs.
#include <fmt/format.h>

#include <memory>

#include "harness/cli/report/picture.h"
#include "harness/cli/run/run_live.h"
#include "harness/cli/story/run_files.h"
#include "harness/cli/story/story.h"
#include "harness/cli/story/tell.h"
#include "harness/cli/story/told_run.h"
#include "harness/cli/terminal/commands.h"
#include "harness/cli/terminal/server_option.h"
#include "harness/cli/terminal/world.h"
#include "harness/files/output_file.h"
#include "harness/history/jsonl.h"
#include "harness/machine/process/live_error.h"
#include "harness/machine/process/temporary_directory.h"
#include "harness/matrix/expected.h"
#include "harness/mutate/mutants.h"
#include "harness/run/confirmation.h"
#include "harness/run/replay.h"
#include "harness/run/service_findings.h"
#include "harness/text/bad_input.h"
#include "harness/text/shell_word.h"
#include "harness/text/text_width.h"
#include "harness/workload/shapes.h"

namespace holdfast::cli {
namespace {

struct RunOptions {
  std::string scenario;
  std::string lock;
  std::string seed = "1";
  std::string place;
  std::string shape;
  std::string world = "sim";
  std::string history;
  std::string log;
  std::string picture;
  std::string draw;  // the picture of a run whose history is in a file
  std::vector<std::string> endpoints;
  std::string speed_up;
  std::vector<std::string> servers;
  bool own_failover = false;
  bool json = false;
  bool expected = false;
  bool confirm = false;
};

const LockEntry& choose_lock(const Scenario& scenario, const std::string& asked_for) {
  const LockEntry& lock = lock_or_mutant_called(asked_for.empty() ? scenario.lock : asked_for);
  if (!scenario.any_lock && lock.id != scenario.lock) {
    throw BadInput(fmt::format("{} is a story about {} and cannot be told with {}; leave --lock out",
                               scenario.name, scenario.lock, lock.id));
  }
  if (const std::string reason = why_not_applicable(scenario, lock); !reason.empty()) {
    throw BadInput(fmt::format("{} cannot be run with {}: {}", scenario.name, lock.id, reason));
  }
  return lock;
}

std::optional<Placement> choose_placement(const Scenario& scenario, const std::string& text) {
  if (text.empty()) {
    return std::nullopt;
  }
  const auto placement = placement_from(text);
  if (!placement) {
    throw BadInput(fmt::format("--place takes FAULT@PROCESS:STEP, such as 1@c1:12, not \"{}\"",
                               shortened(printable(text), 60)));
  }
  if (placement->fault >= scenario.sweep.size()) {
    throw BadInput(
        scenario.sweep.empty()
            ? fmt::format("{} tries no fault at every step, so there is nothing to --place", scenario.name)
            : fmt::format("--place names fault {}, but {} tries only {}", placement->fault + 1, scenario.name,
                          scenario.sweep.size()));
  }
  return placement;
}

// What the scenario says of this lock; of a family, what the expected table says.
void find_expectation(ToldRun& run, const Invocation& invocation) {
  const Scenario& scenario = *run.scenario;
  const std::string id(run.lock->id);
  const auto own = scenario.expect_for.find(id);
  const Expectation& expectation = own != scenario.expect_for.end() ? own->second : scenario.expect;
  if (!expectation.letter.empty()) {
    run.expected = letter_from(expectation.letter);
    run.expectation_note = expectation.note;
    return;
  }
  if (!run.sweep) {
    return;
  }
  if (const auto table = expected_table(invocation.shelf)) {
    if (const ExpectedCell* cell = table->find(id, family_name(scenario))) {
      run.expected = cell->letter;
      run.expectation_note = cell->note;
    }
  }
}

// Runs it once more with everything recorded, and writes the files that were asked for.
void run_in_full(ToldRun& run, Simulation& simulation, const World& world, const RunOptions& options,
                 const ShelvedScenario& shelved) {
  const auto note_servers = [&] {
    run.servers =
        world.servers() == nullptr ? "" : world.servers()->name_of(store_called(run.lock->needs.store));
  };
  note_servers();  // the header says that there are some, and the end which they were
  RunRequest request{
      .scenario = run.scenario, .lock = run.lock, .seed = run.seed, .placement = run.placement};
  request.details = true;
  request.explain = true;
  std::unique_ptr<JsonLinesWriter> history;
  if (!options.history.empty()) {
    history = std::make_unique<JsonLinesWriter>(options.history, history_header(run));
    request.sink = history.get();
  }
  run.report = simulation.run(request);
  note_servers();
  run.service = service_findings(simulation.history(), *run.lock, *run.scenario);
  if (history) {
    history->finish(history_end(run));
  }
  if (!options.log.empty()) {
    write_log(options.log, run, shelved.text, simulation.choices());
  }
}

std::string endpoint_words(const RunOptions& options) {
  std::string words;
  for (const std::string& list : options.endpoints) {
    words += " --endpoints " + shell_word(list);
  }
  return words;
}

std::string command_to_replay(const ToldRun& run, const RunOptions& options, const Invocation& invocation) {
  Scenario as_typed = *run.scenario;
  as_typed.name = shell_word(options.scenario);
  const auto& directory = invocation.shelf.asked_for();
  return replay_command(as_typed, *run.lock, run.seed, run.placement) +
         (options.world == "sim" ? "" : " --world " + options.world) + endpoint_words(options) +
         (options.own_failover ? " --own-failover" : "") +
         (options.speed_up.empty() ? "" : " --speed-up " + options.speed_up) +
         (options.world == "sim" ? "" : server_words(options.servers)) +  // there they only confirm
         (directory ? " --scenarios " + shell_word(*directory) : "");
}

// A step that was typed and is not there is a mistake; a story whose fault finds no place says so, and is
// inconclusive.
void judge_faults_not_struck(const ToldRun& run, bool json, Invocation& invocation) {
  for (const std::size_t fault : run.report.faults_not_struck) {
    const std::string sentence = never_struck(run, fault);
    if (run.placement && fault >= run.scenario->faults.size()) {
      throw BadInput(sentence);
    }
    if (!json) {
      invocation.output.print(fmt::format("  note         {}\n", sentence));
    }
  }
}

void ask_real_servers(ToldRun& run, const RunOptions& options) {
  const Confirmation confirmation =
      WarpConfirmer(server_programs_from(options.servers))
          ->confirm(
              {.scenario = run.scenario, .lock = run.lock, .seed = run.seed, .placement = run.placement},
              nullptr);
  run.confirmed = confirmation.is_confirmed;
  run.confirmation = to_text(confirmation);
}

// What cannot go together is said before anything is run.
void check_combination(const RunOptions& options) {
  const bool is_live = options.world == "live";
  if (is_live && !options.log.empty()) {
    throw BadInput(
        "--log is for the choices of a run, and in the world live nobody makes them; leave it out");
  }
  if (is_live && options.confirm) {
    throw BadInput(
        "--confirm asks the real server, and the world live is one already; leave one of them out");
  }
  if (!options.servers.empty() &&
      (!options.endpoints.empty() || (options.world == "sim" && !options.confirm))) {
    throw BadInput(
        options.endpoints.empty()
            ? "--server is for real servers, which --world warp, --world live and --confirm start"
            : "--server is for servers that holdfast starts, and --endpoints names yours; leave one of "
              "them out");
  }
  const std::string_view only_live = !options.endpoints.empty()  ? "--endpoints"
                                     : !options.speed_up.empty() ? "--speed-up"
                                     : options.own_failover      ? "--own-failover"
                                                                 : "";
  if (!is_live && !only_live.empty()) {
    throw BadInput(fmt::format("{} is for --world live", only_live));
  }
}

// The models would answer, and be taken for the real ones.
void check_has_real_servers(const RunOptions& options, const LockEntry& lock) {
  const Store& store = store_called(lock.needs.store);
  if (options.world == "warp" && store.has_servers() && store.program_names().empty()) {
    throw BadInput(fmt::format("{} cannot be run in the world warp: there is no real {} to start", lock.id,
                               store.title()));
  }
}

std::optional<std::int64_t> speed_up_of(const RunOptions& options) {
  if (options.speed_up.empty()) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(whole_number("--speed-up", options.speed_up, 1, 1000));
}

void tell_live(ToldRun& told, const RunOptions& options, Invocation& invocation) {
  live::LiveRun live;
  try {
    run_live(told, live,
             {.endpoints = options.endpoints,
              .own_failover = options.own_failover,
              .speed_up = speed_up_of(options),
              .history = options.history,
              .programs = server_programs_from(options.servers)});
  } catch (const live::LiveError&) {
    if (!options.json && live.has_history()) {
      invocation.output.print(introduction(told, invocation.terminal));
      invocation.output.print(story_picture(live.history(), live.processes(), {}, invocation.terminal));
    }
    throw;
  }
  tell(told, live.history(), live.processes(), options.json, invocation);
}

void tell_simulated(ToldRun& told, Simulation& simulation, const World& world, const RunOptions& options,
                    const ShelvedScenario& shelved, Invocation& invocation) {
  run_in_full(told, simulation, world, options, shelved);
  if (options.confirm) {
    ask_real_servers(told, options);
  }
  tell(told, simulation.history(), simulation.processes(), options.json, invocation);
}

int run(const RunOptions& options, Invocation& invocation);

// A picture is made from the history, which is in a file for that.
int run_and_draw(const RunOptions& options, Invocation& invocation) {
  check_can_draw(options.picture);
  if (!options.history.empty() && !is_plain_output(options.history)) {
    throw BadInput(
        fmt::format("--picture is drawn from the history, which cannot be read again from {}; name a plain "
                    "file, or leave "
                    "--history out",
                    options.history));
  }
  const live::TemporaryDirectory place;
  RunOptions with_history = options;
  with_history.picture.clear();
  with_history.draw = options.picture;
  if (options.history.empty()) {
    with_history.history = (place.path() / "history.jsonl").string();
  }
  return run(with_history, invocation);
}

// Where live and sim differ neither is believed, be its letter as good as it may.
int exit_code_for(const ToldRun& told, bool expected_is_enough) {
  if (told.live && !told.live->agrees_with(told.letter())) {
    return told.live->is_undecided_with(told.letter()) ? exit_unknown : exit_violated;
  }
  if (expected_is_enough) {
    return told.as_expected() ? exit_well : exit_violated;
  }
  return exit_code_of(told.letter());
}

int run(const RunOptions& options, Invocation& invocation) {
  if (!options.picture.empty()) {
    return run_and_draw(options, invocation);
  }
  if (options.scenario.empty()) {
    throw BadInput("run wants to know which scenario; \"holdfast list scenarios\" shows them");
  }
  const ShelvedScenario shelved = invocation.shelf.take(options.scenario);
  Scenario scenario = shelved.scenario;
  ToldRun told;
  told.scenario = &scenario;
  told.lock = &choose_lock(scenario, options.lock);
  if (!options.shape.empty()) {
    scenario = shaped(scenario, shape_called(options.shape, scenario, *told.lock));
  }
  told.seed = whole_number("--seed", options.seed, 0, greatest_seed);
  told.placement = choose_placement(scenario, options.place);

  check_has_real_servers(options, *told.lock);
  const World world(options.world, server_programs_from(options.servers));
  check_combination(options);
  Simulation simulation(world.servers());
  if (scenario.is_family() && !told.placement) {
    if (world.is_live()) {
      throw BadInput(
          fmt::format("{} tries a fault at every step, which would take too long in real time; "
                      "choose a step with --place, such as --place 1@c1:5",
                      scenario.name));
    }
    told.sweep = sweep(simulation, scenario, *told.lock, told.seed);
    scenario = worst_scenario(scenario, *told.sweep);
    told.seed = told.sweep->worst_seed;
    told.placement = told.sweep->worst_placement;
  }
  find_expectation(told, invocation);
  if (options.expected && !told.expected) {
    throw BadInput(fmt::format("nothing is expected of {} with {}, so --expected cannot be judged",
                               scenario.name, told.lock->id));
  }
  told.replay_command = command_to_replay(told, options, invocation);
  if (world.is_live()) {
    tell_live(told, options, invocation);
  } else {
    tell_simulated(told, simulation, world, options, shelved, invocation);
  }
  if (!options.draw.empty()) {
    draw_picture(options.history, to_json_text(told), options.draw);
  }
  judge_faults_not_struck(told, options.json, invocation);
  return exit_code_for(told, options.expected);
}

}  // namespace

void add_run_command(CLI::App& app, Handler& chosen) {
  const auto options = std::make_shared<RunOptions>();
  Subcommand(app, "run",
             "Runs a scenario and tells its story. Of a family, which tries a fault at every step, it tells "
             "the worst run.")
      .word("SCENARIO", options->scenario, "a name (holdfast list scenarios) or a file")
      .option("--lock", options->lock, "tell it with this lock (holdfast list locks)", "ID")
      .option("--seed", options->seed, "of all random choices; the same seed gives the same run", "N")
      .option("--place", options->place, "of a family: put fault F at step N of a process", "F@PROCESS:N")
      .option("--shape", options->shape, "of a family: what its clients do (holdfast list shapes)", "NAME")
      .option("--world", options->world,
              "sim: models of servers; warp: real ones, on virtual time; live: real ones, in real time",
              "NAME")
      .options("--endpoints", options->endpoints,
               "live, with servers of yours instead of our own; " + where_passwords_are(), "HOST:PORT,…")
      .option(
          "--speed-up", options->speed_up,
          "live: divide all durations by this (20, unless that makes another story; with --own-failover 1)",
          "N")
      .with(add_server_option, options->servers)
      .flag("--own-failover,--sentinels", options->own_failover,
            "live, with what the store has of its own to do the failover: " + own_failovers())
      .option("--history", options->history, "write every event to this file, as JSON Lines", "FILE")
      .option("--log", options->log, "write the choices to this file, for holdfast replay", "FILE")
      .option("--picture", options->picture, "draw the run as a space-time diagram, .svg or .png", "FILE")
      .flag("--json", options->json, "print the verdicts as JSON instead of the story")
      .flag("--expected", options->expected, "exit 0 if the letter is the expected one, whatever it is")
      .flag("--confirm", options->confirm, "also say whether the real server does the same")
      .footer(
          "Exit codes: 0 every property holds, 1 one is violated (even if expected), or live and sim differ, "
          "2 bad input, 3 nobody can tell (U: undecided or inconclusive).")
      .act(chosen, [options](Invocation& invocation) { return run(*options, invocation); });
}

}  // namespace holdfast::cli
