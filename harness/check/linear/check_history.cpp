#include "harness/check/linear/check_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <system_error>
#include <utility>

#include "harness/check/linear/pairs.h"
#include "harness/check/linear/passes.h"
#include "harness/check/linear/time_limit.h"
#include "harness/text/suggest.h"

namespace holdfast::linear {
namespace {

constexpr std::chrono::seconds default_time{60};  // for all searches together

Answer answer_of(const FastVerdict& verdict) {
  return verdict.answer == FastAnswer::violated ? Answer::violated : Answer::linearizable;
}

template <class Check>
std::optional<Answer> other_answer(const std::unique_ptr<Check>& check, Answer standard) {
  if (check == nullptr || check->verdict().answer == FastAnswer::search) {
    return std::nullopt;
  }
  const Answer answer = answer_of(check->verdict());
  return answer == standard ? std::nullopt : std::optional(answer);
}

// From the key's own numbers of its clients to the history's.
FastVerdict renumbered(FastVerdict verdict, const KeyClients& clients) {
  verdict.client = clients.client(verdict.client);
  for (Session& session : verdict.sessions) {
    session.client = clients.client(session.client);
  }
  return verdict;
}

HoldFindings renumbered(HoldFindings findings, const KeyClients& clients) {
  const auto renumber = [&](ClientNumber& client) { client = clients.client(client); };
  if (findings.first_overlap) {
    for (Session& session : findings.first_overlap->sessions) {
      renumber(session.client);
    }
  }
  if (findings.first_token_fault) {
    renumber(findings.first_token_fault->earlier.client);
    renumber(findings.first_token_fault->later.client);
  }
  if (findings.smallest_gap) {
    renumber(findings.smallest_gap->from_client);
    renumber(findings.smallest_gap->to_client);
  }
  if (findings.smallest_lease_margin) {
    renumber(findings.smallest_lease_margin->session.client);
  }
  return findings;
}

// `checks` has a standard reading of releases, which has an answer, and perhaps others.
template <class Checks>
void take_answers(KeyReport& report, const Checks& checks, const KeyClients& clients) {
  report.method = Method::one_pass;
  report.fast = renumbered(checks.standard->verdict(), clients);
  report.service = answer_of(report.fast);
  report.if_failed_releases_ended_the_hold = other_answer(checks.failed_ends, report.service);
  report.if_unknown_releases_did_nothing = other_answer(checks.unknown_does_nothing, report.service);
}

KeyReport report_on(const KeyInProgress& key, std::string name) {
  KeyReport report;
  report.key = std::move(name);
  report.calls = key.calls;
  report.holds = renumbered(key.watch.findings(), key.clients);
  report.method = Method::search;
  if (!key.needs_search()) {
    take_answers(report, key, key.clients);
  }
  return report;
}

// What is wrong with the events, or nothing.
std::string search(KeyReport& report, const std::vector<CallEvent>& events, const AnyModel& model,
                   const Limits& limits) {
  auto paired = pair_calls(events, ended_lets_go(model));
  if (const auto* problem = std::get_if<std::string>(&paired)) {
    return *problem;
  }
  for (const KeyCalls& key : std::get<std::vector<KeyCalls>>(paired)) {
    const GeneralResult result = check_general(model, key.calls, limits);
    report.service = result.answer;
    report.reason = result.reason;
    if (result.answer != Answer::violated) {
      continue;
    }
    for (const std::uint32_t index : result.order) {
      report.prefix.push_back(key.calls[index]);
    }
    const MinimalWitness witness = minimal_witness(model, key.calls, result, limits);
    for (const std::uint32_t index : witness.calls) {
      report.witness.push_back(key.calls[index]);
    }
    report.witness_is_minimal = witness.is_minimal;
    return {};
  }
  return {};
}

// All keys, or the one that was asked for; numbers of those that are judged.
std::variant<std::vector<KeyNumber>, std::string> keys_to_judge(const HistorySummary& summary,
                                                                std::size_t count,
                                                                const CheckOptions& options) {
  std::vector<KeyNumber> keys;
  for (KeyNumber key = 0; key < count; ++key) {
    if (!options.key || summary.key_names[key] == *options.key) {
      keys.push_back(key);
    }
  }
  if (options.key && keys.empty()) {
    return fmt::format("the history has no key \"{}\"{}", *options.key,
                       did_you_mean_text(*options.key, summary.key_names));
  }
  return keys;
}

void name_what_has_no_name(HistorySummary& summary, std::size_t clients, std::size_t keys) {
  while (summary.client_names.size() < clients) {
    summary.client_names.push_back(fmt::format("client {}", summary.client_names.size()));
  }
  while (summary.key_names.size() < keys) {
    summary.key_names.push_back(fmt::format("key {}", summary.key_names.size()));
  }
}

// A call that belongs to such an object, but that this model does not know, must not be left out: what it
// did would be missing.
std::string foreign_call(const KeyInProgress& key, const std::string& name, const AnyModel& model) {
  std::vector<std::string> fitting;
  for (const ModelInfo& info : models()) {
    const auto other =
        parse_model(std::string(info.id) + (info.parameter == Parameter::required ? ":1" : ""));
    bool knows_all = true;
    for (int action = 0; action <= static_cast<int>(Action::await_zero); ++action) {
      knows_all = knows_all && ((key.actions >> action & 1U) == 0 ||
                                knows(std::get<AnyModel>(other), static_cast<Action>(action)));
    }
    if (knows_all) {
      fitting.emplace_back(info.id);
    }
  }
  const std::string place = key.foreign_line != 0 ? fmt::format("line {}: ", key.foreign_line) : "";
  return fmt::format("{}{} of \"{}\" is no call of {}{}", place, to_text(*key.foreign), name, to_text(model),
                     fitting.empty()
                         ? "; no model knows all that is called of it"
                         : "; what knows all that is called of it is " + enumeration(fitting, "or"));
}

std::vector<Action> other_actions(const std::vector<KeyInProgress>& keys, const AnyModel& model) {
  std::vector<Action> actions;
  for (int action = 0; action <= static_cast<int>(Action::await_zero); ++action) {
    const auto called = [&](const KeyInProgress& key) { return (key.actions >> action & 1U) != 0; };
    if (!knows(model, static_cast<Action>(action)) && std::ranges::any_of(keys, called)) {
      actions.push_back(static_cast<Action>(action));
    }
  }
  return actions;
}

// How a history can be read again.
enum class Again : std::uint8_t { yes, never, kept_too_little };

struct Reader {
  std::string name;
  std::function<HistoryResult(HistoryConsumer&)> read;
  std::function<Again()> again;                            // asked after the first time
  std::function<HistoryResult(HistoryConsumer&)> re_read;  // if so
};

class Checking {
 public:
  Checking(const CheckOptions& options, const Reader& reader)
      : options_(options), reader_(reader), first_(options_) {
    if (!options_.limits.stop) {
      options_.limits.stop = stop_after(default_time);
    }
  }

  std::variant<CheckReport, std::string> run() {
    HistoryResult result = reader_.read(first_);
    if (auto* problem = std::get_if<std::string>(&result)) {
      return std::move(*problem);
    }
    first_.finish();
    report_.model = options_.model;
    report_.summary = std::get<HistorySummary>(std::move(result));
    report_.times = first_.times;
    report_.other_actions = other_actions(first_.keys(), options_.model);
    name_what_has_no_name(report_.summary, 0, first_.keys().size());
    std::string problem = report_first();
    if (problem.empty()) {
      problem = look_again();
    }
    if (!problem.empty()) {
      return reader_.name + ": " + problem;
    }
    for (std::size_t index = 0; index < report_.keys.size(); ++index) {
      report_.keys[index].faults = first_.faults.around(report_.keys[index], report_.summary.client_names);
    }
    return std::move(report_);
  }

 private:
  // What is wrong, or nothing; of the other parts, too.
  std::string report_first() {
    const auto keys = keys_to_judge(report_.summary, first_.keys().size(), options_);
    if (const auto* problem = std::get_if<std::string>(&keys)) {
      return *problem;
    }
    for (const KeyNumber key : std::get<std::vector<KeyNumber>>(keys)) {
      const KeyInProgress& state = first_.keys()[key];
      if (state.standard != nullptr && !state.standard->verdict().problem.empty()) {
        return state.standard->verdict().problem;
      }
      if (state.calls == 0) {
        continue;  // other things than this model's are done with it
      }
      if (state.foreign) {
        return foreign_call(state, report_.summary.key_names[key], options_.model);
      }
      numbers_.push_back(key);
      report_.keys.push_back(report_on(state, report_.summary.key_names[key]));
    }
    return {};
  }

  std::string look_again() {
    const auto is_open = [](const KeyReport& key) { return key.method == Method::search; };
    if (std::ranges::none_of(report_.keys, is_open)) {
      return {};
    }
    if (const Again again = reader_.again(); again != Again::yes) {
      for (KeyReport& key : report_.keys) {
        if (is_open(key)) {
          set_unknown(key,
                      again == Again::never
                          ? "it needs a search, for which the history is read twice: give a file"
                          : "it needs a search, for which the history is read twice, and it is too long to "
                            "be kept in the memory allowed: give a file");
        }
      }
      return {};
    }
    std::string problem = stream();
    if (problem.empty() && std::ranges::any_of(report_.keys, is_open)) {
      problem = search_rest();
    }
    return problem;
  }

  // In one pass each, the locks; of other things the events are kept at once.
  std::string stream() {
    LaterPasses pass(options_);
    for (std::size_t index = 0; index < report_.keys.size(); ++index) {
      if (report_.keys[index].method != Method::search) {
        continue;
      }
      const KeyInProgress& state = first_.keys()[numbers_[index]];
      LaterPass& later = pass.keys[numbers_[index]];
      later.clients = &state.clients;
      later.standard = make_stream_check(options_.model);
      if (later.standard != nullptr && state.failed_ends != nullptr) {
        later.failed_ends =
            make_stream_check(options_.model, {ReleaseReading::perhaps, ReleaseReading::perhaps});
      }
      if (later.standard != nullptr && state.unknown_does_nothing != nullptr) {
        later.unknown_does_nothing =
            make_stream_check(options_.model, {ReleaseReading::nothing, ReleaseReading::nothing});
      }
    }
    return pass_again(pass);
  }

  std::string search_rest() {
    LaterPasses pass(options_);
    for (std::size_t index = 0; index < report_.keys.size(); ++index) {
      if (report_.keys[index].method == Method::search && report_.keys[index].reason.empty() &&
          !is_searched_[numbers_[index]]) {
        pass.keys[numbers_[index]].clients = &first_.keys()[numbers_[index]].clients;
      }
    }
    return pass.keys.empty() ? "" : pass_again(pass);
  }

  std::string pass_again(LaterPasses& pass) {
    const HistoryResult result = reader_.re_read(pass);
    if (const auto* problem = std::get_if<std::string>(&result)) {
      return "it could not be read again: " + *problem;
    }
    if (std::get<HistorySummary>(result).calls != report_.summary.calls) {
      return "it changed while it was read; give a copy of it";
    }
    for (std::size_t index = 0; index < report_.keys.size(); ++index) {
      const auto later = pass.keys.find(numbers_[index]);
      if (later == pass.keys.end()) {
        continue;
      }
      if (std::string problem = judge(report_.keys[index], later->first, later->second, pass);
          !problem.empty()) {
        return problem;
      }
    }
    return {};
  }

  std::string judge(KeyReport& report, KeyNumber number, LaterPass& later, const LaterPasses& pass) {
    if (pass.is_stopped) {
      set_unknown(report, "the time limit was reached");
    } else if (later.standard != nullptr) {
      if (later.standard->verdict().answer != FastAnswer::search) {
        take_answers(report, later, *later.clients);
      }
    } else if (pass.is_full) {
      set_unknown(report, "the history is too long to be searched in the memory allowed");
    } else {
      is_searched_[number] = true;
      return search(report, later.events, options_.model, options_.limits);
    }
    return {};
  }

  static void set_unknown(KeyReport& report, std::string reason) {
    report.service = Answer::unknown;
    report.reason = std::move(reason);
  }

  CheckOptions options_;
  const Reader& reader_;
  FirstPass first_;
  CheckReport report_;
  std::vector<KeyNumber> numbers_;  // of the keys in the report
  std::map<KeyNumber, bool> is_searched_;
};

}  // namespace

Answer CheckReport::service() const {
  Answer worst = Answer::linearizable;
  for (const KeyReport& key : keys) {
    if (key.service == Answer::violated) {
      return Answer::violated;
    }
    worst = key.service == Answer::unknown ? Answer::unknown : worst;
  }
  return worst;
}

bool CheckReport::believed_at_once() const {
  return std::ranges::any_of(keys, [](const KeyReport& key) { return key.holds.overlaps > 0; });
}

std::variant<CheckReport, std::string> check_file(const std::string& path, const CheckOptions& options) {
  const ReadOptions read_options{options.key_mode};
  const auto read = [&](HistoryConsumer& consumer) {
    return read_history(path, options.format, read_options, consumer);
  };
  std::error_code ignored;
  if (path != "-" && std::filesystem::is_regular_file(path, ignored)) {
    const Reader reader{path, read, [] { return Again::yes; }, read};
    return Checking(options, reader).run();
  }
  // A pipe, or standard input: gone once it is read.
  std::optional<Keeper> keeper;
  HistorySummary summary;
  const Reader reader{path == "-" ? "standard input" : path,
                      [&](HistoryConsumer& consumer) {
                        HistoryResult result =
                            read(keeper.emplace(consumer, options.limits.memory_bytes / 2));
                        if (const auto* read_well = std::get_if<HistorySummary>(&result)) {
                          summary = *read_well;
                        }
                        return result;
                      },
                      [&] { return keeper->is_full() ? Again::kept_too_little : Again::yes; },
                      [&](HistoryConsumer& consumer) -> HistoryResult {
                        keeper->replay(consumer);
                        return summary;
                      }};
  return Checking(options, reader).run();
}

std::variant<CheckReport, std::string> check_source(Source& source, const CheckOptions& options) {
  const ReadOptions read_options{options.key_mode};
  const auto read = [&](HistoryConsumer& consumer) {
    return read_history(source, options.format, read_options, consumer);
  };
  const Reader reader{source.name(), read, [] { return Again::never; }, read};
  return Checking(options, reader).run();
}

std::variant<CheckReport, std::string> check_events(std::span<const CallEvent> events,
                                                    const CheckOptions& options,
                                                    const HistorySummary& names) {
  const auto read = [&](HistoryConsumer& consumer) -> HistoryResult {
    HistorySummary summary = names;
    std::size_t clients = 0;
    std::size_t keys = 0;
    for (const CallEvent& event : events) {
      consumer.on_call(event);
      clients = std::max<std::size_t>(clients, event.client + 1);
      keys = std::max<std::size_t>(keys, event.key + 1);
    }
    summary.calls = events.size();
    name_what_has_no_name(summary, clients, keys);
    return summary;
  };
  const Reader reader{"the history", read, [] { return Again::yes; }, read};
  return Checking(options, reader).run();
}

}  // namespace holdfast::linear
