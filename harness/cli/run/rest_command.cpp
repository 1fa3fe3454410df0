// holdfast rest PROGRAM: runs a program on virtual time, and says whether it can be run so at all.
//
// Meant for servers and clients of the user's own: how its clock is steered, whether it follows it, whether
// it comes to rest, when it waits for what time brings, and what it does that nobody could hold.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "harness/cli/terminal/commands.h"
#include "harness/machine/clock/clock_way.h"
#include "harness/machine/rest/supervisor.h"
#include "harness/machine/stopwatch.h"
#include "harness/scenario/file/load_duration.h"
#include "harness/text/bad_input.h"
#include "harness/text/duration_text.h"
#include "harness/text/text_width.h"

namespace holdfast::cli {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_deadlines = 10;  // that are told one by one
constexpr std::uint64_t most_steps = 1'000'000;
constexpr rlim_t longest_file = rlim_t{1} << 30U;

struct RestOptions {
  std::vector<std::string> command;
  std::string lasts = "30s";
};

Duration duration_of(const std::string& text) {
  const auto read = duration_from(text);
  const auto* const duration = std::get_if<ScenarioDuration>(&read);
  const bool is_fixed = duration != nullptr && duration->resolve(0s) == duration->resolve(1s);
  if (!is_fixed || duration->resolve(0s) <= 0s) {
    throw BadInput(
        fmt::format("--for takes a time, such as 30s or 2h, not \"{}\"", shortened(printable(text), 60)));
  }
  return duration->resolve(0s);
}

// One that writes without an end must not fill the disk while we wait for it to come to rest.
bool limit_its_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0) {
    return false;
  }
  limit.rlim_cur = std::min(limit.rlim_cur, longest_file);
  return ::setrlimit(RLIMIT_FSIZE, &limit) == 0;
}

std::string way_text(const std::vector<std::string>& command) {
  try {
    return clock_way_of(program_in(command)) == ClockWay::libc
               ? "by libc: where it need not be held, a preloaded library will do, waits included"
               : "by the vDSO: it does without libc (static, or Go), and its waits have to be held";
  } catch (const std::runtime_error& problem) {
    throw BadInput(problem.what());
  }
}

// Of a signal, which nobody sent but the program itself or the kernel: it may be that it cannot be run so.
bool has_died(rest::Supervisor& supervisor) {
  return !supervisor.is_running(0) && supervisor.process(0).ending().starts_with("signal");
}

std::string rest_text(rest::Supervisor& supervisor) {
  if (!supervisor.is_running(0)) {
    return fmt::format("it {} ({}) after {}", has_died(supervisor) ? "died" : "ended by itself",
                       supervisor.process(0).ending(), seconds_text(Duration(supervisor.now_ns())));
  }
  if (!supervisor.next_deadline()) {
    return "yes, and waits for nothing that time could bring";
  }
  return fmt::format("yes, {} times; its next deadline is in {}", supervisor.figures().rests,
                     to_text(Duration(*supervisor.next_deadline() - supervisor.now_ns())));
}

std::string deadlines_text(const std::vector<Duration>& deadlines) {
  std::string text;
  for (std::size_t index = 0; index < std::min(most_deadlines, deadlines.size()); ++index) {
    text += (index == 0 ? "" : ", ") + to_text(deadlines[index]);
  }
  if (deadlines.size() > most_deadlines) {
    text += fmt::format(" and {} more", deadlines.size() - most_deadlines);
  }
  return text.empty() ? "none" : text;
}

// All that come. A program that waits often and shortly keeps us for minutes, so we say how far it is.
std::vector<Duration> see_deadlines(rest::Supervisor& supervisor, Duration lasts) {
  ProgressBar progress("ms of its time", static_cast<std::size_t>(to_milliseconds(lasts)));
  std::vector<Duration> deadlines;
  for (auto next = supervisor.next_deadline();
       next && *next <= lasts.count() && deadlines.size() < most_steps; next = supervisor.next_deadline()) {
    supervisor.expire_next();
    deadlines.emplace_back(supervisor.now_ns());
    progress.advance_to(static_cast<std::size_t>(to_milliseconds(deadlines.back())));
  }
  return deadlines;
}

int see_at_rest(const RestOptions& options, Invocation& invocation) {
  if (options.command.empty()) {
    throw BadInput("rest wants a program: holdfast rest PROGRAM ARGUMENT…");
  }
  const Duration lasts = duration_of(options.lasts);
  const std::string way = way_text(options.command);
  const live::TemporaryDirectory directory;
  rest::Supervisor supervisor;
  rest::ProgramOptions program;
  program.name = std::filesystem::path(options.command.front()).filename().string();
  program.program.arguments = options.command;
  program.program.output = directory.path() / "said";
  program.program.before_exec = limit_its_files;
  const Stopwatch watch;
  supervisor.start(program);
  supervisor.settle();
  const std::vector<Duration> deadlines = see_deadlines(supervisor, lasts);
  const double seconds = watch.seconds();
  const bool reads = supervisor.why_clock_is_doubted(0).empty();
  const rest::SupervisorFigures& figures = supervisor.figures();
  invocation.output.print(fmt::format(
      "{}, {} of its own time\n"
      "  clock           {}\n"
      "  follows it      {}\n"
      "  comes to rest   {}\n"
      "  deadlines       {}\n"
      "  let go early    {} (not 0: real time had a say, and another run may differ)\n"
      "  speed           {} in {}, {:.0f} steps/s\n",
      program.name, seconds_text(Duration(supervisor.now_ns())), way,
      reads ? fmt::format("yes, {} readings", supervisor.process(0).readings()) : "it has not read it",
      rest_text(supervisor), deadlines_text(deadlines), figures.impatient + figures.creeps,
      counted(figures.rests, "step"),
      measured_text(std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9))),
      seconds > 0 ? static_cast<double>(figures.rests) / seconds : 0));
  for (const std::string& note : supervisor.process(0).notes()) {
    invocation.output.print(fmt::format("  does without    {}\n", note));
  }
  const std::string said = live::last_lines(directory.path() / "said");
  invocation.output.print(
      said.empty() ? "" : fmt::format("  said last       {}\n", shortened(printable(said), 200)));
  return has_died(supervisor) ? exit_violated : exit_well;
}

}  // namespace

void add_rest_command(CLI::App& app, Handler& chosen) {
  const auto options = std::make_shared<RestOptions>();
  Subcommand(
      app, "rest",
      "Runs a program of yours, unmodified, on virtual time, and says whether it can be run so: how its "
      "clock is steered, whether it comes to rest, its deadlines, what it does that is not covered.")
      .rest_of_line(options->command)
      .option("--for", options->lasts, "how much of its own time", "TIME")
      .footer(
          "Behind the options comes the program itself (no script that becomes it) with its arguments: "
          "holdfast "
          "rest --for 1min redis-server --port 6400.\nExit codes: 0 it can, 1 it died of a signal, 2 it "
          "cannot: one sentence says why.")
      .act(chosen, [options](Invocation& invocation) { return see_at_rest(*options, invocation); });
}

}  // namespace holdfast::cli
