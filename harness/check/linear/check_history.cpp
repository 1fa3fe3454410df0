#include "harness/check/linear/check_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "harness/check/linear/fault_spans.h"
#include "harness/check/linear/pairs.h"
#include "harness/check/linear/time_limit.h"
#include "harness/text/suggest.h"

namespace holdfast::linear {
namespace {

constexpr std::chrono::seconds default_time{60};  // for all searches together

// One key while its events pass by.
struct KeyInProgress {
  explicit KeyInProgress(const CheckOptions& options)
      : standard(make_fast_check(options.model)), watch(hold_watch_rules(options.model), options.lease_ns) {}

  std::unique_ptr<FastCheck> standard;
  // Other readings of a release, from the first one that they read otherwise.
  std::unique_ptr<FastCheck> failed_ends;
  std::unique_ptr<FastCheck> unknown_does_nothing;
  HoldWatch watch;
  std::uint64_t calls = 0;
};

class FirstPass final : public HistoryConsumer {
 public:
  explicit FirstPass(const CheckOptions& options) : options_(options) {}

  void on_call(const CallEvent& event) override {
    const Position position = position_++;
    if (event.type == CallEventType::ended) {
      for (KeyInProgress& key : keys_) {
        observe(key, event, position);
      }
      return;
    }
    while (event.key >= keys_.size()) {
      keys_.emplace_back(options_);
    }
    if (event.type == CallEventType::asked) {
      keys_[event.key].watch.observe(event, position);
      return;
    }
    if (!knows(options_.model, event.action)) {
      return;
    }
    KeyInProgress& key = keys_[event.key];
    key.calls += event.type == CallEventType::invoke ? 1 : 0;
    observe(key, event, position);
  }
  void on_fault(const FaultEvent& event) override { faults.add(event); }

  void finish() {
    for (KeyInProgress& key : keys_) {
      for (FastCheck* check : {key.standard.get(), key.failed_ends.get(), key.unknown_does_nothing.get()}) {
        if (check != nullptr) {
          check->finish();
        }
      }
      key.watch.finish();
    }
  }

  std::vector<KeyInProgress>& keys() { return keys_; }
  FaultSpans faults;

 private:
  static void observe(KeyInProgress& key, const CallEvent& event, Position position) {
    key.watch.observe(event, position);
    if (key.standard == nullptr) {
      return;
    }
    if (event.action == Action::release && !key.standard->decided()) {
      if (event.type == CallEventType::fail && key.failed_ends == nullptr) {
        key.failed_ends = key.standard->clone();
        key.failed_ends->set_reading({ReleaseReading::perhaps, ReleaseReading::perhaps});
      } else if (event.type == CallEventType::info && key.unknown_does_nothing == nullptr) {
        key.unknown_does_nothing = key.standard->clone();
        key.unknown_does_nothing->set_reading({ReleaseReading::nothing, ReleaseReading::nothing});
      }
    }
    key.standard->observe(event, position);
    if (key.failed_ends != nullptr) {
      key.failed_ends->observe(event, position);
    }
    if (key.unknown_does_nothing != nullptr) {
      key.unknown_does_nothing->observe(event, position);
    }
  }

  const CheckOptions& options_;
  std::vector<KeyInProgress> keys_;
  Position position_ = 0;
};

// Keeps the events of the keys that must be searched.
class SecondPass final : public HistoryConsumer {
 public:
  SecondPass(const CheckOptions& options, std::set<KeyNumber> keys)
      : options_(options), keys_(std::move(keys)) {}

  void on_call(const CallEvent& event) override {
    if (event.type == CallEventType::ended) {
      for (const KeyNumber key : keys_) {
        keep(key, event);
      }
    } else if (event.type != CallEventType::asked && keys_.contains(event.key) &&
               knows(options_.model, event.action)) {
      keep(event.key, event);
    }
  }

  std::map<KeyNumber, std::vector<CallEvent>> events;
  bool is_full = false;

 private:
  void keep(KeyNumber key, const CallEvent& event) {
    if (kept_ * sizeof(CallEvent) >= options_.limits.memory_bytes) {
      is_full = true;
      return;
    }
    ++kept_;
    events[key].push_back(event);
  }

  const CheckOptions& options_;
  std::set<KeyNumber> keys_;
  std::size_t kept_ = 0;
};

std::optional<Answer> other_answer(const FastCheck* check, Answer standard) {
  if (check == nullptr || check->verdict().answer == FastAnswer::search) {
    return std::nullopt;
  }
  const Answer answer =
      check->verdict().answer == FastAnswer::violated ? Answer::violated : Answer::linearizable;
  return answer == standard ? std::nullopt : std::optional(answer);
}

KeyReport report_on(const KeyInProgress& key, std::string name) {
  KeyReport report;
  report.key = std::move(name);
  report.calls = key.calls;
  report.holds = key.watch.findings();
  if (key.standard == nullptr || key.standard->verdict().answer == FastAnswer::search) {
    report.method = Method::search;
    return report;
  }
  report.fast = key.standard->verdict();
  report.service = report.fast.answer == FastAnswer::violated ? Answer::violated : Answer::linearizable;
  report.if_failed_releases_ended_the_hold = other_answer(key.failed_ends.get(), report.service);
  report.if_unknown_releases_did_nothing = other_answer(key.unknown_does_nothing.get(), report.service);
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

// Reads the history once, and a second time for the keys that need a search. `read` gives it to a consumer.
template <class Read>
std::variant<CheckReport, std::string> check(const CheckOptions& options, bool can_read_twice,
                                             const std::string& name, const Read& read) {
  FirstPass first(options);
  HistoryResult result = read(first);
  if (auto* problem = std::get_if<std::string>(&result)) {
    return std::move(*problem);
  }
  first.finish();
  CheckReport report;
  report.model = options.model;
  report.summary = std::get<HistorySummary>(std::move(result));
  name_what_has_no_name(report.summary, 0, first.keys().size());
  const auto keys = keys_to_judge(report.summary, first.keys().size(), options);
  if (const auto* problem = std::get_if<std::string>(&keys)) {
    return name + ": " + *problem;
  }
  std::set<KeyNumber> searched;
  for (const KeyNumber key : std::get<std::vector<KeyNumber>>(keys)) {
    const KeyInProgress& state = first.keys()[key];
    if (state.standard != nullptr && !state.standard->verdict().problem.empty()) {
      return name + ": " + state.standard->verdict().problem;
    }
    if (state.calls == 0) {
      continue;  // other things than this model's are done with it
    }
    report.keys.push_back(report_on(state, report.summary.key_names[key]));
    if (report.keys.back().method == Method::search) {
      searched.insert(key);
    }
  }
  Limits limits = options.limits;
  if (!limits.stop) {
    limits.stop = stop_after(default_time);
  }
  SecondPass second(options, searched);
  if (!searched.empty() && can_read_twice) {
    result = read(second);
  }
  std::size_t index = 0;
  for (const KeyNumber key : std::get<std::vector<KeyNumber>>(keys)) {
    if (first.keys()[key].calls == 0) {
      continue;
    }
    KeyReport& one = report.keys[index++];
    if (searched.contains(key)) {
      if (!can_read_twice || second.is_full) {
        one.service = Answer::unknown;
        one.reason = second.is_full ? "the history is too long to be searched in the memory allowed"
                                    : "it needs a search, for which the history is read twice: give a file";
      } else if (const std::string problem = search(one, second.events[key], options.model, limits);
                 !problem.empty()) {
        return fmt::format("{}: {}", name, problem);
      }
    }
    one.faults = first.faults.around(one, report.summary.client_names);
  }
  return report;
}

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
  return check(options, path != "-", path == "-" ? "standard input" : path, [&](HistoryConsumer& consumer) {
    return read_history(path, options.format, read_options, consumer);
  });
}

std::variant<CheckReport, std::string> check_source(Source& source, const CheckOptions& options) {
  const ReadOptions read_options{options.key_mode};
  return check(options, false, source.name(), [&](HistoryConsumer& consumer) {
    return read_history(source, options.format, read_options, consumer);
  });
}

std::variant<CheckReport, std::string> check_events(std::span<const CallEvent> events,
                                                    const CheckOptions& options,
                                                    const HistorySummary& names) {
  return check(options, true, "the history", [&](HistoryConsumer& consumer) -> HistoryResult {
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
  });
}

}  // namespace holdfast::linear
