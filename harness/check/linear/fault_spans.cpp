#include "harness/check/linear/fault_spans.h"

#include <algorithm>
#include <optional>

#include "harness/check/linear/check_history.h"

namespace holdfast::linear {
namespace {

constexpr std::size_t most_kept = 100'000;
constexpr std::size_t most_told = 3;

// When what went wrong came about: from the first grant involved to the moment it showed.
struct Interval {
  std::int64_t from = no_time;
  std::int64_t to = no_time;
  std::vector<ClientNumber> clients;
};

std::optional<Interval> interval_of(const KeyReport& report) {
  const std::vector<Session>* sessions = nullptr;
  std::int64_t to = no_time;
  if (report.holds.first_overlap) {
    sessions = &report.holds.first_overlap->sessions;
    to = report.holds.first_overlap->from;
  } else if (report.service == Answer::violated && !report.fast.sessions.empty()) {
    sessions = &report.fast.sessions;
    to = report.fast.time;
  }
  if (sessions == nullptr || to == no_time) {
    return std::nullopt;
  }
  Interval interval{sessions->front().grant_time, to, {}};
  for (const Session& session : *sessions) {
    interval.from = std::min(interval.from, session.acquire_time);
    interval.clients.push_back(session.client);
  }
  return interval;
}

// The process of "c1:2" is "c1".
bool strikes(const FaultSpan& span, const Interval& interval, const std::vector<std::string>& names) {
  return std::ranges::any_of(interval.clients, [&](ClientNumber client) {
    return client < names.size() && names[client].substr(0, names[client].find(':')) == span.process;
  });
}

}  // namespace

FaultSpans::FaultSpans() = default;
FaultSpans::~FaultSpans() = default;

void FaultSpans::add(const FaultEvent& event) {
  const bool begins = event.kind == FaultKind::begin || event.kind == FaultKind::died;
  if (begins) {
    if (spans_.size() < most_kept) {
      const std::string text = event.kind == FaultKind::died ? "died" : std::string(event.text);
      spans_.push_back({std::string(event.process), text, event.time, no_time});
    }
    return;
  }
  const auto last = std::ranges::find_if(spans_.rbegin(), spans_.rend(), [&](const FaultSpan& span) {
    return span.to == no_time && span.process == event.process;
  });
  if (last != spans_.rend()) {
    last->to = event.time;
  }
}

std::vector<FaultSpan> FaultSpans::around(const KeyReport& report,
                                          const std::vector<std::string>& client_names) const {
  const std::optional<Interval> interval = interval_of(report);
  if (!interval) {
    return {};
  }
  std::vector<FaultSpan> found;
  for (const FaultSpan& span : spans_) {
    if (span.from != no_time && span.from <= interval->to &&
        (span.to == no_time || span.to >= interval->from)) {
      found.push_back(span);
    }
  }
  std::ranges::stable_partition(
      found, [&](const FaultSpan& span) { return strikes(span, *interval, client_names); });
  found.resize(std::min(found.size(), most_told));
  return found;
}

}  // namespace holdfast::linear
