#include "harness/cli/program.h"

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <csignal>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/cli/terminal/commands.h"
#include "harness/kernel/require.h"
#include "harness/text/bad_input.h"
#include "harness/text/shell_word.h"
#include "harness/text/suggest.h"
#include "harness/text/text_width.h"

namespace holdfast::cli {
namespace {

constexpr std::string_view help_text = R"(holdfast: does this distributed lock hold?

It drives lock designs through pauses, crashes, partitions, clock jumps and failovers in a
deterministic simulation or with the real servers on virtual time, and tells the story of what went wrong, event by event.

Usage: holdfast COMMAND [OPTIONS]

Commands
  list locks|mutants|scenarios|faults   what there is; also: topology, schema
  run SCENARIO                  one story, told event by event, with its verdicts
  replay LOG                    a run once more, exactly, from the log it left (run --log)
  confirm LOG                   the same run with the real server: does it do the same?
  explore                       looks for every way a lock breaks, and shrinks what it finds
  merge DIR...                  puts explorations together that were made in parts
  envelope LOCK                 how long a pause, jump or drift the lock survives: its certificate
  matrix                        every lock under every family of faults, and what is unexpected
  mutants                       how many seeded bugs the matrix finds in a lock, yours included
  check FILE --model M          a history of your own: linearizable? two holders at once?
  report DIR                    one page of all that was found, to read or to show
  bench kernel|pipeline|warp|check   how fast holdfast itself is
  bench locks                   how fast each lock is on real servers
  bench explore                 how soon each strategy finds bugs that were seeded into locks
  clean --endpoints HOST:PORT   removes from servers of yours what an interrupted run left there
  rest PROGRAM [ARGUMENT...]    a program of yours on virtual time: can it be run so, and does it come to rest?

Options of every command
  --scenarios DIR               where scenarios are; else $HOLDFAST_SCENARIOS, else beside the program
  --color auto|always|never     auto (the default) is: on a terminal, unless NO_COLOR is set
  -h, --help                    this text; behind a command, all its options
  --version                     the version

Examples
  holdfast run gc-pause-write                          a pause outlives the lease: two holders
  holdfast run gc-pause-write --lock redisson-fenced   the same story with a lock that hands out tokens
  holdfast matrix --lock 'redis-px-*' --json out.json  some locks under every fault, also as a file

Exit codes
  0  well: every property holds (run), nothing is unexpected (matrix, run --expected)
  1  a property is violated (run), something is unexpected (matrix, run --expected)
  2  bad input: one sentence on standard error says what is wrong, where, and what to do
  3  unknown: a search met its limit of time or memory first (check)
  70 a bug in holdfast itself: the sentence says what must hold, where, and the command that shows it again
)";

struct CommonOptions {
  std::string color = "auto";
  std::string scenarios;
};

std::vector<std::string> known_words(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    words.push_back(command->get_name());
  }
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      words.push_back("--" + name);
    }
  }
  return words;
}

const CLI::App& innermost(const CLI::App& app) {
  const CLI::App* result = &app;
  while (!result->get_subcommands().empty()) {
    result = result->get_subcommands().front();
  }
  return *result;
}

// "holdfast run"
std::string path_of(const CLI::App& command) {
  return command.get_parent() == nullptr ? "holdfast"
                                         : path_of(*command.get_parent()) + " " + command.get_name();
}

// What no option or command took: the first of it gets the sentence.
void refuse_extras(const CLI::App& app) {
  const std::vector<std::string> extras = app.remaining(true);
  if (extras.empty()) {
    return;
  }
  const CLI::App& command = innermost(app);
  const std::string& word = extras.front();
  const bool option = word.starts_with('-') && word != "-";
  if (command.get_prefix_command() && !option) {
    return;  // they are another program's
  }
  if (&command == &app && !option) {
    throw unknown_word("command", word, known_words(app), "holdfast --help");
  }
  std::vector<std::string> known = known_words(command);
  const std::vector<std::string> common = known_words(app);
  known.insert(known.end(), common.begin(), common.end());
  const std::string help = path_of(command) + " --help";
  if (option) {
    throw unknown_word(fmt::format("option of {}", path_of(command)), word.substr(0, word.find('=')), known,
                       help);
  }
  throw BadInput(fmt::format("\"{}\" is one word too many for {} (\"{}\" shows how)",
                             shortened(printable(word), 60), path_of(command), help));
}

// An option that got nothing would be as good as not given (a script's variable that is not set), and one
// that got the next option took it away.
void refuse_values_that_are_none(const CLI::App& command) {
  const std::string help = path_of(command) + " --help";
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_lnames().empty() || option->get_expected_min() == 0) {
      continue;  // a word that has its place: its command asks for it; or an option that may go without a
                 // value
    }
    const std::string name = "--" + option->get_lnames().front();
    for (const std::string& value : option->results()) {
      if (value.empty()) {
        throw BadInput(fmt::format(
            "{} is given, but empty; leave it out, or give it a value (\"{}\" shows how)", name, help));
      }
      if (value.starts_with("--")) {
        throw BadInput(fmt::format("{} wants a value and got the option {} (\"{}\" shows how)", name,
                                   shortened(printable(value), 60), help));
      }
    }
  }
}

Terminal terminal_for(const CommonOptions& options) {
  const auto choice = color_choice_from(options.color);
  if (!choice) {
    throw BadInput(fmt::format(
        "--color takes auto, always or never, not \"{}\"{}", shortened(printable(options.color), 60),
        did_you_mean_text(options.color, std::vector<std::string>{"auto", "always", "never"})));
  }
  return look_at_terminal(*choice);
}

int parse_and_act(int argc, char** argv, Output& output) {
  CLI::App app;
  app.name("holdfast");
  app.set_help_flag("-h,--help", "all options");
  app.allow_extras();
  app.fallthrough();
  app.require_subcommand(0, 1);  // behind a command another one's name is a word: bench check
  app.set_version_flag("--version", "holdfast " HOLDFAST_VERSION);
  CommonOptions common;
  app.add_option("--color", common.color);
  app.add_option("--scenarios", common.scenarios);
  Handler chosen;
  add_list_command(app, chosen);
  add_run_command(app, chosen);
  add_replay_command(app, chosen);
  add_matrix_command(app, chosen);
  add_mutants_command(app, chosen);
  add_check_command(app, chosen);
  add_confirm_command(app, chosen);
  add_explore_command(app, chosen);
  add_merge_command(app, chosen);
  add_envelope_command(app, chosen);
  add_report_command(app, chosen);
  add_bench_command(app, chosen);
  add_clean_command(app, chosen);
  add_rest_command(app, chosen);

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const CLI::App& command = innermost(app);
    output.print(&command == &app ? std::string(help_text) : command.help(path_of(*command.get_parent())));
    return exit_well;
  } catch (const CLI::CallForVersion& version) {
    output.print(std::string(version.what()) + "\n");
    return exit_well;
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string words = error.what();
    throw BadInput(fmt::format("{} wants a value (\"{} --help\" shows how)", words.substr(0, words.find(':')),
                               path_of(innermost(app))));
  } catch (const CLI::ParseError& error) {
    throw BadInput(
        fmt::format("{} (\"{} --help\" shows how)", printable(error.what()), path_of(innermost(app))));
  }
  refuse_values_that_are_none(app);
  refuse_values_that_are_none(innermost(app));
  refuse_extras(app);
  if (!chosen) {
    throw BadInput(
        "a command is missing; \"holdfast --help\" shows what there is, \"holdfast matrix\" tries every "
        "lock");
  }
  const std::optional<std::string> scenarios =
      app.count("--scenarios") > 0 ? std::optional(common.scenarios) : std::nullopt;
  Invocation invocation{output, terminal_for(common), Shelf(scenarios)};
  return chosen(invocation);
}

// What was typed shows everything again: nothing in it depends on the time of day.
class TypedCommand final : public Replay {
 public:
  TypedCommand(int argc, char** argv) : words_(argv, argv + argc) {}
  std::string command() const override {
    std::string text = "holdfast";
    for (std::size_t index = 1; index < words_.size(); ++index) {
      text += " " + shell_word(words_[index]);
    }
    return text;
  }

 private:
  std::vector<std::string> words_;
};

}  // namespace

int run_program(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away is noticed when writing
  std::signal(SIGXFSZ, SIG_IGN);  // and so is a limit of file sizes
  tell_broken_invariants();
  const TypedCommand typed(argc, argv);
  const ReplayScope scope(typed);
  Output output(STDOUT_FILENO);
  return with_one_sentence(output, [&] { return parse_and_act(argc, argv, output); });
}

int with_one_sentence(Output& output, const std::function<int()>& act) {
  try {
    const int code = act();
    output.flush();
    return code;
  } catch (const BrokenInvariant& broken) {
    output.try_flush();
    say_on_standard_error(fmt::format("holdfast: {}\n", printable(broken.what())));
    return exit_broken_invariant;
  } catch (const std::exception& problem) {
    output.try_flush();  // if that fails too, the first problem is the one to tell
    say_on_standard_error(fmt::format("holdfast: {}\n", printable(problem.what())));
    return exit_bad_input;
  }
}

std::uint64_t whole_number(std::string_view option, const std::string& text, std::uint64_t least,
                           std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    throw BadInput(fmt::format("{} takes a whole number from {} to {}, not \"{}\"", option, least, most,
                               shortened(printable(text), 60)));
  }
  return value;
}

}  // namespace holdfast::cli
