#include "harness/check/linear/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <variant>

#include "harness/check/linear/pairs.h"
#include "harness/text/duration_text.h"

namespace holdfast::linear {
namespace {

using Mark = Finding::Mark;

std::string duration_text(std::int64_t nanoseconds) {
  return measured_text(std::chrono::nanoseconds(nanoseconds));
}

// "at 10.057 s (line 120)", as far as it is known.
std::string moment(std::int64_t time, std::uint64_t line) {
  std::string text;
  if (time != no_time) {
    text = "at " + seconds_text(std::chrono::nanoseconds(time));
  }
  if (line != 0) {
    text += fmt::format("{}{}", text.empty() ? "in " : " (", fmt::format("line {}", line));
    text += time != no_time ? ")" : "";
  }
  return text.empty() ? "then" : text;
}

std::string in_line(std::uint64_t line) {
  return line == 0 ? "" : fmt::format(" (line {})", line);
}

class Words {
 public:
  Words(const CheckReport& report, const KeyReport& key) : report_(report), key_(key) {}

  std::vector<Finding> all() {
    service();
    readings();
    belief();
    tokens();
    margins();
    fairness();
    return std::move(findings_);
  }

 private:
  std::string name(ClientNumber client) const {
    return client < report_.summary.client_names.size() ? report_.summary.client_names[client]
                                                        : fmt::format("client {}", client);
  }
  std::string grant_of(const Session& session) const {
    return moment(session.grant_time, session.grant_line);
  }

  void service() {
    const std::string model = to_text(report_.model);
    const std::string how = key_.method == Method::one_pass ? "" : " (searched)";
    switch (key_.service) {
      case Answer::linearizable:
        add(Mark::good, "service", fmt::format("linearizable as {}{}", model, how));
        return;
      case Answer::unknown:
        add(Mark::unknown, "service",
            fmt::format("not known whether linearizable as {}: {}", model, key_.reason));
        return;
      case Answer::violated:
        add(Mark::bad, "service", fmt::format("not linearizable as {}{}: {}", model, how, cause()));
    }
  }

  std::string cause() const {
    return key_.method == Method::one_pass ? cause_of_one_pass() : cause_of_search();
  }

  std::string cause_of_one_pass() const {
    const FastVerdict& fast = key_.fast;
    const std::string client = name(fast.client);
    const std::string when = moment(fast.time, fast.line);
    const auto first = [&] { return name(fast.sessions.front().client); };
    switch (fast.cause) {
      case FastCause::overlap: {
        const Session& later = fast.sessions.back();
        return fmt::format("{} was granted it {} and had not released it when {} was granted it {}", first(),
                           grant_of(fast.sessions.front()), name(later.client), grant_of(later));
      }
      case FastCause::granted_again:
        return fmt::format("{} was granted it {} while it held it since {}", client, when,
                           grant_of(fast.sessions.front()).substr(3));
      case FastCause::release_without_hold:
        return fmt::format("{} released it {} without holding it", client, when);
      case FastCause::release_refused:
        return fmt::format("{} was told {} that it does not hold what it was granted {}", client, when,
                           grant_of(fast.sessions.front()));
      case FastCause::token_not_greater:
        return fmt::format("{} was given token {} {}, after {} had been given {}", client,
                           fast.sessions.back().token.value_or(0), when, first(),
                           fast.sessions.front().token.value_or(0));
      case FastCause::token_changed:
        return fmt::format("{} re-entered {} and was given token {}, not its own {}", client, when,
                           fast.sessions.back().token.value_or(0), fast.sessions.front().token.value_or(0));
      case FastCause::overtaken:
        return fmt::format("{} was granted it {} before {}, which had asked earlier", first(),
                           grant_of(fast.sessions.front()), client);
      case FastCause::refused_though_free:
        return fmt::format("{} was refused {} while nobody can have held it", client, when);
      case FastCause::refused_to_holder:
        return fmt::format("{} was refused {} what it held itself since {}", client, when,
                           grant_of(fast.sessions.front()).substr(3));
      case FastCause::too_many_releases:
        return fmt::format("more was released than was taken, as {} shows {}", client, when);
      case FastCause::too_many_grants:
        return too_many_grants();
      case FastCause::too_early:
        return fmt::format("{} was let through {} before it was counted down", client, when);
      case FastCause::still_closed:
        return fmt::format("{} was kept waiting {} though it had been counted down", client, when);
      case FastCause::unexplained:
        return fmt::format("what {} was told {} fits nothing that may have happened before", client, when);
      case FastCause::none:
        break;
    }
    return "no reason is known";
  }

  // Without owners nobody knows whose permit a release gave back: these grants have had none of their own.
  std::string too_many_grants() const {
    const FastVerdict& fast = key_.fast;
    std::string who;
    for (std::size_t index = 0; index + 1 < fast.sessions.size(); ++index) {
      who += fmt::format("{}{} {}", index == 0 ? "" : ", ", name(fast.sessions[index].client),
                         grant_of(fast.sessions[index]));
    }
    return fmt::format("{} was granted it {} though nothing was free{}{}", name(fast.client),
                       moment(fast.time, fast.line), who.empty() ? "" : ": taken by ", who);
  }

  std::string cause_of_search() const {
    const std::vector<Call> told = witness_to_tell(key_);
    std::string calls;
    for (const Call& call : told) {
      calls += (calls.empty() ? "" : "; ") + call_text(report_, call);
    }
    const std::size_t untold = key_.witness.size() - told.size();
    return fmt::format(
        "no order explains {}: {}{}{}",
        key_.witness.size() == 1 ? "this call" : fmt::format("these {} calls", key_.witness.size()),
        untold > 0 ? fmt::format("{} before, and ", untold) : "", calls,
        key_.witness_is_minimal ? "" : " (perhaps fewer would do)");
  }

  void readings() {
    const auto say = [&](const std::optional<Answer>& answer, const char* reading) {
      if (answer) {
        add(Mark::remark, "both ways",
            fmt::format("it would be {} if {}", *answer == Answer::linearizable ? "linearizable" : "violated",
                        reading));
      }
    };
    say(key_.if_failed_releases_ended_the_hold,
        "a release that failed counted as one that may have happened");
    say(key_.if_unknown_releases_did_nothing,
        "a release with unknown outcome counted as one that did not happen");
  }

  void belief() {
    const HoldFindings& holds = key_.holds;
    if (!hold_watch_rules(report_.model).is_lock) {
      return;
    }
    if (!holds.first_overlap) {
      add(Mark::good, "belief",
          fmt::format("never too many holders at once ({} grant{})", holds.grants,
                      holds.grants == 1 ? "" : "s"));
      return;
    }
    const Overlap& overlap = *holds.first_overlap;
    std::string who;
    for (std::size_t index = 0; index < overlap.sessions.size(); ++index) {
      who += index == 0 ? "" : index + 1 == overlap.sessions.size() ? " and " : ", ";
      who += name(overlap.sessions[index].client);
    }
    std::string sentence = fmt::format("{} believed to hold it at once from {}", who,
                                       moment(overlap.from, overlap.from_line).substr(3));
    if (overlap.to != no_time && overlap.from != no_time && report_.times.count == 0) {
      sentence += fmt::format(", for {}", duration_text(overlap.to - overlap.from));
    } else if (overlap.to_line != 0) {
      sentence += fmt::format(" to line {}", overlap.to_line);
    }
    for (std::size_t index = 0; index < key_.faults.size(); ++index) {
      const FaultSpan& fault = key_.faults[index];
      sentence += fmt::format("{} {} {}", index == 0 ? "; meanwhile" : ",", fault.process, fault.text);
    }
    if (holds.overlaps > 1) {
      sentence += fmt::format(" (the first of {})", holds.overlaps);
    }
    add(Mark::bad, "belief", sentence);
  }

  void tokens() {
    const HoldFindings& holds = key_.holds;
    if (holds.first_token_fault) {
      const TokenFault& fault = *holds.first_token_fault;
      add(Mark::bad, "tokens",
          fmt::format("{} was given {} {}, though {} had been given {} before it asked{}",
                      name(fault.later.client), fault.later.token.value_or(0), grant_of(fault.later),
                      name(fault.earlier.client), fault.earlier.token.value_or(0),
                      holds.token_faults > 1 ? fmt::format(" (the first of {})", holds.token_faults) : ""));
    } else if (holds.tokens > 0) {
      add(Mark::good, "tokens",
          fmt::format("each of {} is greater than those given before it was asked for", holds.tokens));
    } else if (holds.grants > 0 && wants_tokens()) {
      add(Mark::unknown, "tokens",
          fmt::format("none of {} grants came with a token: whether tokens grow was not checked",
                      holds.grants));
    }
  }

  bool wants_tokens() const {
    return std::holds_alternative<FencedMutex>(report_.model) ||
           std::holds_alternative<ReentrantFencedMutex>(report_.model);
  }

  void margins() {
    const HoldFindings& holds = key_.holds;
    if (report_.times.count > 0) {
      return;  // what times say is no measure
    }
    if (holds.smallest_gap && !holds.first_overlap) {
      const Gap& gap = *holds.smallest_gap;
      add(Mark::remark, "margin",
          fmt::format("the closest was {}, between {}{} letting go and {}{} getting it",
                      duration_text(gap.nanoseconds), name(gap.from_client), in_line(gap.from_line),
                      name(gap.to_client), in_line(gap.to_line)));
    }
    if (holds.smallest_lease_margin) {
      const LeaseMargin& margin = *holds.smallest_lease_margin;
      const std::string who = name(margin.session.client) + in_line(margin.release_line);
      add(Mark::remark, "lease",
          margin.nanoseconds >= 0
              ? fmt::format("at least {} were left of it when work ended: {}",
                            duration_text(margin.nanoseconds), who)
              : fmt::format("{} outlived it by {}", who, duration_text(-margin.nanoseconds)));
    }
  }

  void fairness() {
    const HoldFindings& holds = key_.holds;
    if (holds.overtakings > 0) {
      add(Mark::remark, "fairness",
          fmt::format("{} of {} grants passed over an earlier request; one request was passed over {} time{}",
                      holds.overtakings, holds.grants, holds.most_overtaken,
                      holds.most_overtaken == 1 ? "" : "s"));
    }
    if (holds.wake_ups > 0) {
      add(Mark::remark, "wake-ups",
          fmt::format("{:.1f} waiters asked the server after a release, on average; at most {}",
                      static_cast<double>(holds.wake_ups) / static_cast<double>(holds.awaited_releases),
                      holds.most_wake_ups));
    }
  }

  void add(Mark mark, std::string about, std::string sentence) {
    findings_.push_back({mark, std::move(about), std::move(sentence)});
  }

  const CheckReport& report_;
  const KeyReport& key_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> findings(const CheckReport& report, const KeyReport& key) {
  return Words(report, key).all();
}

std::string value_text(const CheckReport& report, const std::optional<std::int64_t>& value) {
  if (!value) {
    return "nil";
  }
  const std::vector<std::string>& names = report.summary.value_names;
  if (*value >= first_named_value && *value - first_named_value < static_cast<std::int64_t>(names.size())) {
    return names[static_cast<std::size_t>(*value - first_named_value)];
  }
  return std::to_string(*value);
}

std::vector<Call> witness_to_tell(const KeyReport& key) {
  std::vector<Call> told = key.witness;
  if (told.size() > most_calls_told) {
    const auto first = told.begin() + static_cast<std::ptrdiff_t>(most_calls_told);
    std::ranges::nth_element(told, first, std::greater<>(), &Call::returned);
    told.erase(first, told.end());
    std::ranges::sort(told, {}, &Call::invoked);
  }
  return told;
}

std::string call_text(const CheckReport& report, const Call& call) {
  const std::string client = call.client < report.summary.client_names.size()
                                 ? report.summary.client_names[call.client]
                                 : fmt::format("client {}", call.client);
  std::string text = fmt::format("{} {}", client, to_text(call.action));
  if (call.action == Action::compare_and_set) {
    text += fmt::format(" {} to {}", value_text(report, call.expected), value_text(report, call.value));
  } else if (call.action == Action::write || call.action == Action::add ||
             (call.action == Action::read && call.outcome == Outcome::ok)) {
    text += fmt::format(" {}", value_text(report, call.value));
  }
  if (call.token) {
    text += fmt::format(" with token {}", *call.token);
  }
  text += call.outcome == Outcome::info ? " (outcome unknown)" : call.refused ? " (refused)" : "";
  if (call.invoke_line != 0) {
    text += call.return_line != 0 ? fmt::format(", lines {} to {}", call.invoke_line, call.return_line)
                                  : fmt::format(", from line {}", call.invoke_line);
  }
  return text;
}

}  // namespace holdfast::linear
