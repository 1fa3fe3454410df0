#include "harness/check/belief.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/text/duration_text.h"

namespace holdfast {

void BeliefCheck::reset(const CheckContext& context) {
  context_ = context;
  tracker_.reset(context);
  losses_.reset();
  conflict_.reset();
  overlap_end_.reset();
  was_tried_ = false;
  stranger_release_ = 0;
}

void BeliefCheck::on_event(const Event& event, const History& history) {
  require(!history.events().empty() && &history.events().back() == &event,
          "a check is told of the last event");
  const std::size_t index = history.events().size() - 1;
  const std::optional<Conflict> found = tracker_.observe(event, index);
  note_losses(event, index, found);
  if (found && !conflict_) {
    conflict_ = found;
  }
  const bool stranger_releases = context_.is_stranger(event.process, event.thread) &&
                                 event.operation == Operation::release && event.type == EventType::invoke;
  if (stranger_releases && !conflict_) {
    stranger_release_ = index;
  }
  was_tried_ = was_tried_ || (context_.stranger_is_set ? stranger_releases : !tracker_.holds().empty());
  if (conflict_ && !overlap_end_) {
    const auto open = [&](std::uint32_t session) {
      return std::any_of(tracker_.holds().begin(), tracker_.holds().end(),
                         [&](const Hold& hold) { return hold.session == session; });
    };
    if (!open(conflict_->earlier.session) || !open(conflict_->later.session)) {
      overlap_end_ = event.true_time;
    }
  }
}

// Of permits nobody can say whose was lost, and whoever acts without holding the lock loses nothing.
void BeliefCheck::note_losses(const Event& event, std::size_t index, const std::optional<Conflict>& found) {
  if (losses_.watches()) {
    losses_.on_event(event, index);
  }
  if (!found || context_.permits > 1 || context_.stranger_is_set) {
    return;
  }
  for (const Hold& hold : tracker_.holds()) {
    const bool is_its_own = hold.process == event.process && hold.thread == event.thread;
    const bool is_compatible = hold.mode == Mode::shared && event.mode == Mode::shared;
    if (!is_its_own && !is_compatible) {
      losses_.take(hold);
    }
  }
}

Judgement BeliefCheck::judgement() const {
  if (conflict_) {
    return Judgement::violated;
  }
  return was_tried_ ? Judgement::holds : Judgement::not_checked;
}

Verdict BeliefCheck::verdict(const History& history) const {
  Verdict verdict{property(), judgement(), {}, {}};
  if (!conflict_) {
    if (was_tried_) {
      verdict.sentence = context_.stranger_is_set ? "nobody lost the lock to a release that was not theirs"
                                                  : "never two holders at the same time";
    } else {
      verdict.sentence =
          context_.stranger_is_set ? "nobody released what was not theirs" : "nobody held the lock";
    }
    return verdict;
  }
  const Event& earlier = history.events()[conflict_->earlier.event];
  const Event& later = history.events()[conflict_->later.event];
  const std::string overlap = overlap_end_ == later.true_time ? std::string("for that instant")
                              : overlap_end_
                                  ? fmt::format("for {}", length_text(*overlap_end_ - later.true_time))
                                  : std::string("to the end of the run");
  if (context_.stranger_is_set) {
    verdict.sentence = fmt::format(
        "{} released a lock that was not its own: {} held it since {}, and {} got it at {}",
        history.process_name(context_.stranger), history.thread_name(earlier),
        seconds_text(earlier.true_time), history.thread_name(later), seconds_text(later.true_time));
    verdict.witness = {conflict_->earlier.event, stranger_release_, conflict_->later.event};
    return verdict;
  }
  verdict.sentence = fmt::format("{} believed to hold the lock since {} when {} got it at {}; both did {}",
                                 history.thread_name(earlier), seconds_text(earlier.true_time),
                                 history.thread_name(later), seconds_text(later.true_time), overlap);
  verdict.witness = {conflict_->earlier.event, conflict_->later.event};
  return verdict;
}

Judgement LossCheck::judgement() const {
  switch (belief_.losses().worst()) {
    case Loss::none:
      return Judgement::not_checked;
    case Loss::told_before_write:
      return Judgement::holds;
    case Loss::told_at_release:
    case Loss::never_told:
      return Judgement::violated;
  }
  return Judgement::not_checked;
}

Verdict LossCheck::verdict(const History&) const {
  return {property(), judgement(), std::string(to_sentence(belief_.losses().worst())), {}};
}

void ReentrancyCheck::reset(const CheckContext& context) {
  context_ = context;
  tracker_.reset(context);
  nested_ = false;
  conflict_.reset();
}

void ReentrancyCheck::on_event(const Event& event, const History& history) {
  if (!context_.reentrant) {
    return;  // nobody will ask
  }
  const std::optional<Conflict> found = tracker_.observe(event, history.events().size() - 1);
  nested_ = nested_ || std::any_of(tracker_.holds().begin(), tracker_.holds().end(),
                                   [](const Hold& hold) { return hold.nested; });
  if (found && found->earlier.nested && !conflict_) {
    conflict_ = found;
  }
}

Judgement ReentrancyCheck::judgement() const {
  if (!context_.reentrant || !nested_) {
    return Judgement::not_checked;
  }
  return conflict_ ? Judgement::violated : Judgement::holds;
}

Verdict ReentrancyCheck::verdict(const History& history) const {
  Verdict verdict{property(), judgement(), {}, {}};
  if (conflict_) {
    verdict.sentence = fmt::format("{} had acquired twice and released less often, yet {} got the lock at {}",
                                   history.thread_name(history.events()[conflict_->earlier.event]),
                                   history.thread_name(history.events()[conflict_->later.event]),
                                   seconds_text(history.events()[conflict_->later.event].true_time));
    verdict.witness = {conflict_->earlier.event, conflict_->later.event};
  } else if (verdict.judgement == Judgement::holds) {
    verdict.sentence = "acquired again by its holder, and held until released as often";
  } else {
    verdict.sentence =
        context_.reentrant ? "nobody acquired twice" : "the lock does not claim to be re-entrant";
  }
  return verdict;
}

}  // namespace holdfast
