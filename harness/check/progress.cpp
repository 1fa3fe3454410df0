#include "harness/check/progress.h"

#include <fmt/format.h>

#include <utility>

#include <algorithm>

#include "harness/text/duration_text.h"

namespace holdfast {

void ProgressCheck::reset(const CheckContext& context) {
  context_ = context;
  // Whoever waits behind a stranger that holds the lock in earnest waits rightly.
  CheckContext with_stranger = context;
  with_stranger.stranger_is_set = false;
  tracker_.reset(with_stranger);
  waiters_.clear();
  excuses_ = 0;
  counted_down_ = 0;
  grants_ = 0;
  overtakings_ = 0;
  longest_wait_ = Duration::zero();
  longest_event_ = 0;
  progress_ = Progress::at_once;
  asked_ = false;
  waits_ = false;
}

ProgressCheck::Waiter* ProgressCheck::find(const Event& event) {
  const auto at = std::find_if(waiters_.begin(), waiters_.end(), [&](const Waiter& waiter) {
    return waiter.process == event.process && waiter.thread == event.thread;
  });
  return at == waiters_.end() ? nullptr : &*at;
}

void ProgressCheck::on_event(const Event& event, const History& history) {
  const std::size_t index = history.events().size() - 1;
  tracker_.observe(event, index);
  const bool waits = event.operation == Operation::acquire || event.operation == Operation::await_zero;
  asked_ = asked_ || waits;
  if (waits && event.type == EventType::invoke && find(event) == nullptr) {
    waiters_.push_back(
        {event.process, event.thread, event.mode, event.operation, index, event.true_time, false, {}});
  } else if (waits && event.type == EventType::ok) {
    granted(event);
  } else if (event.operation == Operation::count_down && event.type == EventType::ok) {
    ++counted_down_;
  } else if (event.type == EventType::died) {
    std::erase_if(waiters_, [&](const Waiter& waiter) {
      return waiter.process == event.process && (event.thread == 0 || waiter.thread == event.thread);
    });
  } else if (event.type == EventType::fault_begin) {
    excuses_ += event.value;
  } else if (event.type == EventType::fault_end) {
    excuses_ -= event.value;
    require(excuses_ >= 0, "no fault ends that did not begin");
  }
  update_entitlement(event.true_time);
}

void ProgressCheck::granted(const Event& event) {
  ++grants_;
  const Waiter* waiter = find(event);
  if (waiter == nullptr) {
    return;
  }
  if (waiter->entitled && event.true_time - waiter->entitled_since > longest_wait_) {
    longest_wait_ = event.true_time - waiter->entitled_since;
    longest_event_ = waiter->event;
  }
  // A millisecond apart at least: requests closer than a message's way have no order.
  overtakings_ +=
      static_cast<std::uint64_t>(std::count_if(waiters_.begin(), waiters_.end(), [&](const Waiter& other) {
        return other.since + 1ms < waiter->since;
      }));
  waiters_.erase(waiters_.begin() + (waiter - waiters_.data()));
}

bool ProgressCheck::blocked(const Waiter& waiter) const {
  if (excuses_ > 0) {
    return true;
  }
  if (waiter.operation == Operation::await_zero) {
    return counted_down_ < context_.latch_count;
  }
  return tracker_.blocks(waiter.process, waiter.thread, waiter.mode);
}

void ProgressCheck::update_entitlement(Duration now) {
  for (Waiter& waiter : waiters_) {
    const bool entitled = !blocked(waiter);
    if (entitled && !waiter.entitled) {
      waiter.entitled_since = now;
    }
    waiter.entitled = entitled;
  }
}

// The count of a latch whose counters died never comes to zero: nobody is to blame but time is up.
const ProgressCheck::Waiter* ProgressCheck::waits_for_ever() const {
  const auto found = std::ranges::find_if(waiters_, [&](const Waiter& waiter) {
    return waiter.entitled || (waiter.operation == Operation::await_zero && excuses_ == 0);
  });
  return found == waiters_.end() ? nullptr : &*found;
}

void ProgressCheck::blame(const Waiter& waiter, Duration since, Duration now) {
  longest_event_ = waiter.event;
  longest_wait_ = std::max(longest_wait_, now - since);
  waits_ = true;
}

void ProgressCheck::finish(Duration true_time, RunEnd end) {
  require(longest_wait_ >= Duration::zero(), "nobody waits for less than no time");
  end_ = end;
  progress_ = longest_wait_ > context_.grace ? Progress::bounded : Progress::at_once;
  if (end == RunEnd::finished) {
    return;
  }
  const Waiter* const waiter = waits_for_ever();
  if (waiter != nullptr) {
    blame(*waiter, waiter->entitled ? waiter->entitled_since : waiter->since, true_time);
  }
  const bool is_proved = end == RunEnd::deadlock || end == RunEnd::repeats;
  progress_ = is_proved && waiter != nullptr ? Progress::stuck : Progress::undecided;
}

Judgement ProgressCheck::judgement() const {
  switch (progress_) {
    case Progress::at_once:
      return asked_ ? Judgement::holds : Judgement::not_checked;
    case Progress::undecided:
      return Judgement::unknown;
    case Progress::bounded:
    case Progress::stuck:
      return Judgement::violated;
  }
  return Judgement::unknown;
}

Verdict ProgressCheck::verdict(const History& history) const {
  Verdict verdict{property(), judgement(), {}, {}};
  switch (progress_) {
    case Progress::at_once:
      verdict.sentence =
          asked_ ? fmt::format("a free lock was granted at once (within {})", length_text(longest_wait_))
                 : "nobody asked for the lock";
      break;
    case Progress::undecided:
      verdict.sentence = "the run was over before it was known whether everybody gets the lock";
      if (waits_) {
        verdict.witness = {longest_event_};
        verdict.sentence =
            fmt::format("{} had stood before a free lock for {}, and may yet have got it",
                        history.thread_name(history.events()[longest_event_]), length_text(longest_wait_));
      }
      verdict.sentence += fmt::format(" ({})", to_text(end_));
      break;
    case Progress::bounded:
      verdict.witness = {longest_event_};
      verdict.sentence =
          fmt::format("{} stood before a free lock for {}, then got it",
                      history.thread_name(history.events()[longest_event_]), length_text(longest_wait_));
      break;
    case Progress::stuck:
      verdict.witness = {longest_event_};
      verdict.sentence = fmt::format("{} stood before a free lock for {} and never got it ({})",
                                     history.thread_name(history.events()[longest_event_]),
                                     length_text(longest_wait_), to_text(end_));
      break;
  }
  return verdict;
}

Judgement FairnessCheck::judgement() const {
  if (!fair_) {
    return Judgement::not_checked;
  }
  return progress_.overtakings() == 0 ? Judgement::holds : Judgement::violated;
}

Verdict FairnessCheck::verdict(const History&) const {
  const std::uint64_t count = progress_.overtakings();
  std::string sentence = count == 0
                             ? std::string("every grant came in the order of requests")
                             : fmt::format("{} time{} a later request was granted before an earlier one",
                                           count, count == 1 ? "" : "s");
  if (!fair_) {
    sentence = "the lock does not claim to be fair: " + sentence;
  }
  return {property(), judgement(), std::move(sentence), {}};
}

}  // namespace holdfast
