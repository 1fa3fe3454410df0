#include "harness/cli/story/told_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "harness/kernel/fingerprint.h"
#include "harness/text/duration_text.h"
#include "harness/text/text_width.h"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t readable_width = 100;  // longer lines of prose are hard to read

std::string paragraph(const std::string& text, std::size_t width) {
  std::string result;
  for (const std::string& line : wrapped(printable(text), std::min(width, readable_width), 1000)) {
    const std::size_t start = line.find_first_not_of(' ');
    result += (start == std::string::npos ? line : line.substr(start)) + "\n";
  }
  return result;
}

std::uint64_t runs_with(const Cell& cell, Letter letter) {
  return cell.runs_by_letter.at(static_cast<std::size_t>(letter));
}

// 412 runs: 100 V, 12 L, 300 S
std::string sweep_text(const Cell& cell) {
  std::string counts;
  for (const Letter letter : letters_worst_first) {
    if (const std::uint64_t runs = runs_with(cell, letter); runs > 0) {
      counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", runs, to_text(letter));
    }
  }
  if (cell.inconclusive_runs > 0) {
    counts += fmt::format("{}{} inconclusive", counts.empty() ? "" : ", ", cell.inconclusive_runs);
  }
  return fmt::format("{}: {}", counted(cell.runs, "run"), counts);
}

Judgement judgement_of(linear::Finding::Mark mark) {
  using Mark = linear::Finding::Mark;
  switch (mark) {
    case Mark::good:
      return Judgement::holds;
    case Mark::bad:
      return Judgement::violated;
    case Mark::unknown:
      return Judgement::unknown;
    case Mark::remark:
      break;
  }
  return Judgement::not_checked;
}

std::string verdict_text(const Verdict& verdict, std::size_t name_width, const Terminal& terminal) {
  const bool violated = verdict.judgement == Judgement::violated;
  const bool holds = verdict.judgement == Judgement::holds;
  const std::string mark = violated ? "✗" : holds ? "✓" : verdict.judgement == Judgement::unknown ? "?" : "–";
  const Color color = violated ? Color::red : holds ? Color::green : Color::faint;
  const std::string sentence =
      verdict.sentence.empty() ? std::string(to_text(verdict.judgement)) : printable(verdict.sentence);
  const std::size_t indent = name_width + 6;
  std::string result =
      "  " + painted(mark + " " + padded_right(verdict.property, name_width), color, terminal.color) + "  ";
  bool first = true;
  for (const std::string& line :
       wrapped(sentence, std::max<std::size_t>(terminal.width, indent + 20) - indent, 20)) {
    result += (first ? "" : std::string(indent - 2, ' ')) + line + "\n";
    first = false;
  }
  return result;
}

// What there is to say of the letter beside its sentence.
std::string besides_text(const ToldRun& run) {
  std::string result;
  if (run.letter() == Letter::undecided && run.report.inconclusive != Inconclusive::no) {
    result += fmt::format("     inconclusive: {}\n", to_sentence(run.report.inconclusive));
  }
  for (const std::string_view claim : run.report.broken_claims) {
    result += fmt::format(
        "     the lock claims {} and did not keep it here, which has no say in the letter\n", claim);
  }
  if (run.sweep) {
    result += fmt::format("     {}\n", sweep_text(*run.sweep));
  }
  return result;
}

std::string slowed_text(const RunReport& report) {
  return report.slowed_by == Duration::zero() ? ""
                                              : fmt::format(
                                                    "               in the midst of it messages began to "
                                                    "take {} longer, so that time passes\n",
                                                    seconds_text(report.slowed_by));
}

std::string expectation_text(const ToldRun& run) {
  if (!run.expected) {
    return "";
  }
  return run.as_expected() ? " (as expected)" : fmt::format(" (expected {})", to_text(*run.expected));
}

std::string pace_text(const LiveSide& live) {
  return !live.why_slower.empty() ? fmt::format(", at the pace of the story: {}", live.why_slower)
         : live.speed_up == 1     ? ""
                              : fmt::format(", all durations divided by {} to take less time", live.speed_up);
}

std::string live_text(const LiveSide& live, Letter letter) {
  return fmt::format("  servers      {}{}\n", live.servers, pace_text(live)) +
         fmt::format("  letters      live {}, sim {}: {}\n", to_text(letter), to_text(live.sim),
                     live.agrees_with(letter)
                         ? "they agree"
                         : "they differ (real time never repeats itself: run it again before you judge)");
}

// "the second applied SET", "step 12", "true time 1.500 s"
std::string selector_text(const StepSelector& selector, const LockEntry& lock) {
  if (selector.time) {
    return "true time " + seconds_text(selector.time->resolve(lock.ttl));
  }
  if (selector.ordinal != 0) {
    return fmt::format("step {}", selector.ordinal);
  }
  std::string words = selector.phase ? std::string(to_text(*selector.phase)) : "step";
  if (!selector.name.empty()) {
    words += " \"" + selector.name + "\"";
  }
  return selector.nth == 1 ? words : fmt::format("{}, time {}", words, selector.nth);
}

}  // namespace

Color color_of(Letter letter) {
  switch (letter) {
    case Letter::safe:
      return Color::green;
    case Letter::stuck_bounded:
    case Letter::undecided:
      return Color::yellow;
    case Letter::always_error:
    case Letter::stuck_for_ever:
      return Color::magenta;
    case Letter::fenced:
      return Color::cyan;
    case Letter::violated:
      return Color::red;
    case Letter::not_applicable:
      return Color::faint;
  }
  return Color::plain;
}

std::string sentence_of(Letter letter, bool shows_its_letter) {
  std::string sentence(to_sentence(letter));
  if (letter == Letter::violated && !shows_its_letter) {
    sentence += "; in this run nothing came of it";
  } else if (letter == Letter::fenced && !shows_its_letter) {
    sentence += "; in this run no stale write came to be rejected";
  }
  return sentence;
}

std::string introduction(const ToldRun& run, const Terminal& terminal) {
  const Scenario& scenario = *run.scenario;
  std::string heading = fmt::format("{}, {}, seed {}", printable(scenario.name), run.lock->id, run.seed);
  if (run.placement) {
    heading += fmt::format(", fault at {}", to_text(*run.placement));
  }
  std::string result = painted(heading, Color::bold, terminal.color) + "\n";
  if (!scenario.title.empty()) {
    result += printable(scenario.title) + "\n";
  }
  if (!scenario.about.empty()) {
    result += paragraph(scenario.about, terminal.width);
  }
  if (run.sweep) {
    const bool one_way = runs_with(*run.sweep, run.sweep->letter) == run.sweep->runs;
    result += fmt::format("\n{}. This is the first{}.\n", sweep_text(*run.sweep),
                          one_way ? "" : fmt::format(" {}", to_text(run.sweep->letter)));
  }
  return result + "\n";
}

std::string conclusion(const ToldRun& run, const Terminal& terminal) {
  const RunReport& report = run.report;
  std::size_t name_width = 0;
  for (const Verdict& verdict : report.verdicts) {
    name_width = std::max(name_width, display_width(verdict.property));
  }
  std::string result = "\n";
  for (const Verdict& verdict : report.verdicts) {
    result += verdict_text(verdict, name_width, terminal);
  }
  for (const linear::Finding& finding : run.service) {
    result +=
        verdict_text({finding.about, judgement_of(finding.mark), finding.sentence, {}}, name_width, terminal);
  }
  result +=
      fmt::format("\n  {}  {}{}\n", painted(to_text(run.letter()), color_of(run.letter()), terminal.color),
                  sentence_of(run.letter(), run.report.shows_its_letter), expectation_text(run));
  if (!run.expectation_note.empty()) {
    result += paragraph("     " + run.expectation_note, terminal.width);
  }
  result += besides_text(run);
  result += fmt::format("\n  ended        {} after {}, {}, {}, {}\n", to_text(report.end),
                        seconds_text(report.true_time), counted(report.events, "event"),
                        counted(report.grants, "grant"), counted(report.commands, "command"));
  result += slowed_text(report);
  result += run.live ? live_text(*run.live, run.letter())
                     : fmt::format("  fingerprint  {}\n", to_hex(report.fingerprint));
  if (!run.servers.empty()) {
    result += fmt::format("  servers      {}\n", run.servers);
  }
  result += fmt::format("  replay       {}\n", run.replay_command);
  if (run.confirmed) {
    result += fmt::format("  real server  {}", run.confirmation);
  }
  return result;
}

std::string to_json_text(const ToldRun& run) {
  const RunReport& report = run.report;
  Json json{{"scenario", run.scenario->name}, {"lock", run.lock->id}, {"seed", run.seed}};
  json["place"] = run.placement ? Json(to_text(*run.placement)) : Json(nullptr);
  json["letter"] = to_text(run.letter());
  json["sentence"] = sentence_of(run.letter(), report.shows_its_letter);
  json["shows_its_letter"] = report.shows_its_letter;
  json["expected"] = run.expected ? Json(to_text(*run.expected)) : Json(nullptr);
  json["as_expected"] = run.expected ? Json(run.as_expected()) : Json(nullptr);
  json["end"] = to_text(report.end);
  json["inconclusive"] =
      report.inconclusive == Inconclusive::no ? Json(nullptr) : Json(to_sentence(report.inconclusive));
  json["broken_claims"] = report.broken_claims;
  json["loss"] = to_text(report.loss);
  json["true_time_ns"] = report.true_time.count();
  json["events"] = report.events;
  json["grants"] = report.grants;
  json["commands"] = report.commands;
  json["longest_wait_ns"] = report.longest_wait.count();
  json["fingerprint"] = to_hex(report.fingerprint);
  json["verdicts"] = Json::array();
  for (const Verdict& verdict : report.verdicts) {
    json["verdicts"].push_back({{"property", verdict.property},
                                {"judgement", to_text(verdict.judgement)},
                                {"sentence", verdict.sentence},
                                {"witness", verdict.witness}});
  }
  json["service"] = Json::array();
  for (const linear::Finding& finding : run.service) {
    json["service"].push_back({{"about", finding.about}, {"sentence", finding.sentence}});
  }
  json["faults_not_struck"] = Json::array();
  for (const std::size_t fault : report.faults_not_struck) {
    json["faults_not_struck"].push_back(fault + 1);
  }
  if (run.sweep) {
    json["sweep"]["runs"] = run.sweep->runs;
    json["sweep"]["inconclusive_runs"] = run.sweep->inconclusive_runs;
    for (const Letter letter : letters_worst_first) {
      json["sweep"]["runs_by_letter"][std::string(to_text(letter))] = runs_with(*run.sweep, letter);
    }
  }
  json["replay"] = run.replay_command;
  if (run.live) {
    json["live"] = {{"servers", run.live->servers},
                    {"speed_up", run.live->speed_up},
                    {"why_slower", run.live->why_slower},
                    {"letter_in_sim", to_text(run.live->sim)},
                    {"agrees", run.live->agrees_with(run.letter())}};
  }
  if (!run.servers.empty()) {
    json["servers"] = run.servers;
  }
  if (run.confirmed) {
    json["confirmed"] = *run.confirmed;
    json["confirmation"] = run.confirmation;
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string never_struck(const ToldRun& run, std::size_t fault) {
  const std::vector<FaultSpec>& faults = run.scenario->faults;
  if (fault >= faults.size()) {  // the one that was placed
    return run.placement
               ? fmt::format("the fault placed at {} never struck: {} takes fewer steps in this run",
                             to_text(*run.placement), run.placement->process)
               : fmt::format("fault {} never struck", fault + 1);
  }
  const FaultSpec& spec = faults[fault];
  const std::string where = selector_text(spec.at, *run.lock);
  const std::string why = spec.at.time ? fmt::format("the run was over before {}", where)
                                       : fmt::format("{} never came to {}", spec.at.process, where);
  return fmt::format("fault {} of {} ({} on {}) never struck: {}", fault + 1, run.scenario->name, spec.fault,
                     spec.on, why);
}

}  // namespace holdfast::cli
