// holdfast check FILE --model M: is this history, whoever recorded it, one of a lock that works?
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/check/linear/explain.h"
#include "harness/check/linear/pairs.h"
#include "harness/check/linear/time_limit.h"
#include "harness/cli/terminal/commands.h"
#include "harness/scenario/file/load_duration.h"
#include "harness/text/bad_input.h"
#include "harness/text/duration_text.h"
#include "harness/text/suggest.h"
#include "harness/text/text_width.h"

namespace holdfast::cli {
namespace {

struct CheckCommandOptions {
  std::string file;
  std::string model;
  std::string format = "auto";
  std::string key;
  std::string pairs = "auto";
  std::string timeout = "60";
  std::string memory = "1024";
  std::string lease;
  std::string initial;
  std::string nil = "value";
  bool json = false;
};

std::string models_text() {
  std::string text;
  for (const linear::ModelInfo& info : linear::models()) {
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", info.id,
                        info.parameter == linear::Parameter::required   ? ":N"
                        : info.parameter == linear::Parameter::optional ? "[:N]"
                                                                        : "");
  }
  return text;
}

template <class Value>
Value chosen_word(std::string_view option, const std::string& text,
                  const std::vector<std::pair<std::string, Value>>& words) {
  std::vector<std::string> names;
  for (const auto& [name, value] : words) {
    if (name == text) {
      return value;
    }
    names.push_back(name);
  }
  throw BadInput(fmt::format("{} takes {}, not \"{}\"{}", option, fmt::join(names, ", "),
                             shortened(printable(text), 60), did_you_mean_text(text, names)));
}

std::int64_t initial_value(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw BadInput(fmt::format("--initial takes a whole number such as 0 or -1, not \"{}\"",
                               shortened(printable(text), 60)));
  }
  return value;
}

linear::CheckOptions read_options(const CheckCommandOptions& options) {
  linear::CheckOptions result;
  if (options.model.empty()) {
    throw BadInput("check wants to know what the history is one of: --model " + models_text());
  }
  auto model = linear::parse_model(options.model);
  if (const auto* problem = std::get_if<std::string>(&model)) {
    throw BadInput("--model: " + *problem);
  }
  result.model = std::get<linear::AnyModel>(model);
  if (!options.initial.empty() && !set_initial_value(result.model, initial_value(options.initial))) {
    throw BadInput(
        fmt::format("--initial is for registers: {} has no value to start from", to_text(result.model)));
  }
  result.format = chosen_word<HistoryFormat>(
      "--format", options.format,
      {{"auto", HistoryFormat::automatic}, {"jsonl", HistoryFormat::jsonl}, {"edn", HistoryFormat::edn}});
  result.key_mode = chosen_word<KeyMode>("--pairs", options.pairs,
                                         {{"auto", KeyMode::automatic},
                                          {"yes", KeyMode::pairs},
                                          {"no", KeyMode::none},
                                          {"name", KeyMode::names}});
  result.nil_is_unknown = chosen_word<bool>("--nil", options.nil, {{"value", false}, {"unknown", true}});
  if (!options.key.empty()) {
    result.key = options.key;
  }
  const std::uint64_t seconds = whole_number("--timeout", options.timeout, 1, 86'400);
  result.limits.stop = linear::stop_after(std::chrono::seconds(seconds));
  result.limits.memory_bytes = whole_number("--memory", options.memory, 1, 1'000'000) << 20;
  if (!options.lease.empty()) {
    const auto lease = duration_from(options.lease);
    const auto* duration = std::get_if<ScenarioDuration>(&lease);
    if (duration == nullptr || duration->ttl_per_mille != 0 || duration->fixed <= Duration{0}) {
      throw BadInput(fmt::format("--lease takes a duration such as 10s or 500ms, not \"{}\"",
                                 shortened(printable(options.lease), 60)));
    }
    result.lease_ns = duration->fixed.count();
  }
  return result;
}

std::string marked(const linear::Finding& finding, const Terminal& terminal) {
  using Mark = linear::Finding::Mark;
  switch (finding.mark) {
    case Mark::good:
      return painted("✓", Color::green, terminal.color);
    case Mark::bad:
      return painted("✗", Color::red, terminal.color);
    case Mark::unknown:
      return painted("?", Color::yellow, terminal.color);
    case Mark::remark:
      break;
  }
  return " ";
}

constexpr std::size_t most_keys_told = 20;

std::string times_text(const linear::TimeFaults& times) {
  return fmt::format(
      "by its time line {} was {} earlier than line {}{}: the order of the lines counts, and no durations "
      "are told",
      times.line, measured_text(std::chrono::nanoseconds(times.by)), times.line_before,
      times.count > 1 ? fmt::format(" (the first of {} such lines)", times.count) : "");
}

// A history in which there is nothing of the model's was not judged, and must not pass for one that was.
std::string nothing_to_judge(const linear::CheckReport& report, const std::string& file) {
  std::vector<std::string> others;
  for (const Action action : report.other_actions) {
    others.emplace_back(linear::to_text(action));
  }
  return fmt::format("{}: there is nothing to judge: {}", file == "-" ? "standard input" : printable(file),
                     others.empty() ? "it has no calls"
                                    : fmt::format("none of its calls is one of {}; it has {}",
                                                  to_text(report.model), enumeration(others, "and")));
}

std::string as_text(const linear::CheckReport& report, const std::string& file, const Terminal& terminal) {
  std::uint64_t calls = 0;
  for (const linear::KeyReport& key : report.keys) {
    calls += key.calls;
  }
  std::string text = fmt::format("{}: {} of {}, {} on {}\n", file == "-" ? "standard input" : printable(file),
                                 counted(report.summary.lines, "line"),
                                 counted(report.summary.client_names.size(), "client"),
                                 counted(calls, "call"), counted(report.keys.size(), "key"));
  if (report.times.count > 0) {
    text += fmt::format("  ! {}\n", times_text(report.times));
  }
  std::size_t told = 0;
  for (const linear::KeyReport& key : report.keys) {
    const bool is_bad =
        key.service != linear::Answer::linearizable || key.holds.overlaps > 0 || key.holds.token_faults > 0;
    if (!is_bad && report.keys.size() > most_keys_told) {
      continue;  // of many keys, those that hold are only counted
    }
    if (++told > most_keys_told) {
      text += "\n… and more keys of this kind; --key shows one, --json all\n";
      break;
    }
    text += fmt::format("\n{}\n", painted(printable(key.key), Color::bold, terminal.color));
    for (const linear::Finding& finding : findings(report, key)) {
      text += fmt::format("  {} {:<10}{}\n", marked(finding, terminal), finding.about, finding.sentence);
    }
  }
  return text;
}

template <class Value>
nlohmann::ordered_json json_or_null(const Value& value, const Value& nothing) {
  return value == nothing ? nlohmann::ordered_json() : nlohmann::ordered_json(value);
}

// The calls that a verdict rests on, each as an object; of a search's many, those that are told.
nlohmann::ordered_json witness_of(const linear::CheckReport& report, const linear::KeyReport& key) {
  using Json = nlohmann::ordered_json;
  Json witness = Json::array();
  const auto client = [&](ClientNumber number) { return report.summary.client_names.at(number); };
  for (const Call& call : linear::witness_to_tell(key)) {
    Json one{{"client", client(call.client)}, {"operation", linear::to_text(call.action)}};
    if (!linear::is_lock_action(call.action)) {
      one["value"] = linear::value_text(report, call.value);
    }
    if (call.action == Action::compare_and_set) {
      one["expected"] = linear::value_text(report, call.expected);
    }
    if (call.token) {
      one["token"] = *call.token;
    }
    one["outcome"] = call.outcome == Outcome::info ? "unknown" : call.refused ? "refused" : "ok";
    one["invoke_line"] = json_or_null<std::uint64_t>(call.invoke_line, 0);
    one["return_line"] = json_or_null<std::uint64_t>(call.return_line, 0);
    one["invoke_time"] = json_or_null(call.invoke_time, no_time);
    one["return_time"] = json_or_null(call.return_time, no_time);
    witness.push_back(one);
  }
  for (const linear::Session& session : key.fast.sessions) {
    witness.push_back({{"client", client(session.client)},
                       {"operation", "acquire"},
                       {"acquire_line", session.acquire_line},
                       {"grant_line", session.grant_line}});
  }
  if (key.method == linear::Method::one_pass && key.service == linear::Answer::violated &&
      key.fast.sessions.empty()) {
    witness.push_back({{"client", client(key.fast.client)}, {"line", key.fast.line}});
  }
  return witness;
}

std::string as_json(const linear::CheckReport& report, const std::string& file) {
  using Json = nlohmann::ordered_json;
  Json keys = Json::array();
  for (const linear::KeyReport& key : report.keys) {
    Json one{{"key", key.key},
             {"calls", key.calls},
             {"service", to_text(key.service)},
             {"method", key.method == linear::Method::one_pass ? "one-pass" : "search"},
             {"overlaps", key.holds.overlaps},
             {"token_faults", key.holds.token_faults}};
    Json said = Json::array();
    for (const linear::Finding& finding : findings(report, key)) {
      said.push_back({{"about", finding.about}, {"sentence", finding.sentence}});
    }
    one["findings"] = said;
    const Json witness = witness_of(report, key);
    if (!witness.empty()) {
      one["witness"] = witness;
      if (key.witness.size() > linear::most_calls_told) {
        one["witness_calls"] = key.witness.size();
      }
    }
    keys.push_back(one);
  }
  return Json{{"file", file},
              {"model", to_text(report.model)},
              {"lines", report.summary.lines},
              {"service", to_text(report.service())},
              {"belief", report.believed_at_once() ? "violated" : "holds"},
              {"times_that_go_back", report.times.count},
              {"keys", keys}}
             .dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

int check(const CheckCommandOptions& options, Invocation& invocation) {
  if (options.file.empty()) {
    throw BadInput("check wants a history; \"holdfast run SCENARIO --history FILE\" writes one");
  }
  const linear::CheckOptions check_options = read_options(options);
  auto result = linear::check_file(options.file, check_options);
  if (const auto* problem = std::get_if<std::string>(&result)) {
    throw BadInput(*problem);
  }
  const auto& report = std::get<linear::CheckReport>(result);
  if (report.keys.empty()) {
    throw BadInput(nothing_to_judge(report, options.file));
  }
  invocation.output.print(options.json ? as_json(report, options.file)
                                       : as_text(report, options.file, invocation.terminal));
  bool token_faults = false;
  for (const linear::KeyReport& key : report.keys) {
    token_faults = token_faults || key.holds.token_faults > 0;
  }
  if (report.service() == linear::Answer::violated || report.believed_at_once() || token_faults) {
    return exit_violated;
  }
  return report.service() == linear::Answer::unknown ? exit_unknown : exit_well;
}

}  // namespace

void add_check_command(CLI::App& app, Handler& chosen) {
  const auto options = std::make_shared<CheckCommandOptions>();
  Subcommand(app, "check",
             "Judges a history, whoever recorded it: is the service linearizable, and did two clients "
             "believe to hold the lock at once?")
      .word("FILE", options->file,
            "JSON Lines of holdfast's or EDN of Jepsen's, also .gz; - is standard input")
      .option("--model", options->model, "what it is a history of: " + models_text(), "M")
      .option("--format", options->format, "auto, jsonl or edn", "F")
      .option("--key", options->key, "judge this key only", "K")
      .option("--pairs", options->pairs,
              "EDN: what a value says of the key: [k v] means key k: auto, yes or no; name: a lock's whole "
              "value is its name",
              "P")
      .option("--timeout", options->timeout, "of a search; then the answer is: unknown", "SECONDS")
      .option("--memory", options->memory, "of a search, likewise", "MB")
      .option("--lease", options->lease, "how long a grant is good for: tells what was left of it", "10s")
      .option("--initial", options->initial, "the value a register starts from; nil unless given", "V")
      .option("--nil", options->nil, "a read that answers nil: value, or unknown (Knossos)", "N")
      .flag("--json", options->json, "the verdicts as JSON")
      .footer("Exit codes: 0 all well, 1 violated, 2 bad input, 3 unknown: a limit was met first.")
      .act(chosen, [options](Invocation& invocation) { return check(*options, invocation); });
}

}  // namespace holdfast::cli
