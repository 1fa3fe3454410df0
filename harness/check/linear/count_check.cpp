#include "harness/check/linear/count_check.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "harness/check/linear/model.h"
#include "harness/kernel/require.h"

namespace holdfast::linear {

bool CountCheck::Side::advance(Position now) {
  if (advanced.size() >= open.size()) {
    return false;
  }
  require(advanced.empty() || advanced.back() <= now, "what had to happen is noted in order");
  advanced.push_back(now);
  return true;
}

bool CountCheck::Side::close(Position invoked, bool happened) {
  const auto call = std::ranges::lower_bound(open, invoked);
  require(call != open.end() && *call == invoked, "a call that returns was open");
  open.erase(call);
  if (!happened) {
    return false;
  }
  const auto slot = std::ranges::upper_bound(advanced, invoked);
  if (slot == advanced.end()) {
    return false;
  }
  advanced.erase(slot);
  return true;
}

bool CountCheck::Side::is_explained() const {
  std::size_t candidates = 0;
  for (std::size_t index = 0; index < advanced.size(); ++index) {
    while (candidates < open.size() && open[candidates] < advanced[index]) {
      ++candidates;
    }
    if (candidates < index + 1) {
      return false;
    }
  }
  return true;
}

void CountCheck::on_invoke(const CallEvent& event, Position position) {
  (is_acquire(event.action) ? acquires_ : releases_).open.push_back(position);
}

void CountCheck::on_return(const CallEvent& event, Position position) {
  std::uint32_t& held = held_[event.client];
  const bool acquires = is_acquire(event.action);
  Side& side = acquires ? acquires_ : releases_;
  CallEventType type = event.type;
  if (!acquires && type == CallEventType::fail && reading_.failed == ReleaseReading::perhaps) {
    type = CallEventType::info;
  } else if (!acquires && type == CallEventType::info && reading_.unknown == ReleaseReading::nothing) {
    type = CallEventType::fail;
  }
  const bool happened = type == CallEventType::ok && !event.refused;
  if (!acquires && (happened || type == CallEventType::info)) {
    std::uint32_t& less = held > 0 ? held : perhaps_held_[event.client];
    less -= less > 0 ? 1 : 0;
    note_release(event);
  }
  if (type == CallEventType::info) {
    perhaps_held_[event.client] += acquires ? 1 : 0;
    return;  // it stays open for ever
  }
  if (happened && acquires) {
    note_hold(event, position);
  }
  if (side.close(last_call(event.client).invoked, happened)) {
    held += acquires ? 1 : 0;
    return;
  }
  if (!side.is_explained()) {
    blame(!acquires, event, position);
    return;
  }
  if (happened) {
    happen(acquires, event, position);
    held += acquires ? 1 : 0;
  } else if (type == CallEventType::ok) {
    refuse(acquires, event, position);
  }
}

void CountCheck::happen(bool acquires, const CallEvent& event, Position position) {
  const std::uint32_t bound = acquires ? permits_ : 0;
  if (taken_ == bound) {
    if (!(acquires ? releases_ : acquires_).advance(position)) {
      blame(acquires, event, position);
      return;
    }
    set_taken(acquires ? taken_ - 1 : taken_ + 1, position);
  }
  set_taken(acquires ? taken_ + 1 : taken_ - 1, position);
}

void CountCheck::set_taken(std::uint32_t taken, Position position) {
  require(taken <= permits_, "no more permits are taken than there are");
  if (taken_ == permits_) {
    was_ever_full_ = true;
    last_full_ = position;
  }
  if (taken_ == 0) {
    was_ever_empty_ = true;
    last_empty_ = position;
  }
  taken_ = taken;
}

// It saw all permits taken (of a release: none) at some instant of its own. If the instants chosen so far do
// not show one, calls that are open may do so now. Whether that was the best choice remains to be seen.
void CountCheck::refuse(bool acquires, const CallEvent& event, Position position) {
  const Position invoked = last_call(event.client).invoked;
  const bool seen = acquires ? taken_ == permits_ || (was_ever_full_ && last_full_ > invoked)
                             : taken_ == 0 || (was_ever_empty_ && last_empty_ > invoked);
  if (seen) {
    return;
  }
  made_a_choice_ = true;
  while (taken_ != (acquires ? permits_ : 0)) {
    if (!(acquires ? acquires_ : releases_).advance(position)) {
      refer_to_search(event, position);
      return;
    }
    set_taken(acquires ? taken_ + 1 : taken_ - 1, position);
  }
}

void CountCheck::note_hold(const CallEvent& event, Position position) {
  const LastCall& call = last_call(event.client);
  holds_.push_back({event.client, call.mode, event.token, call.invoked, position, call.line, event.line,
                    call.time, event.time});
}

// It ends the client's own oldest hold, if it has one, else the oldest of all.
void CountCheck::note_release(const CallEvent& event) {
  const LastCall& call = last_call(event.client);
  last_release_ = {event.client, call.mode,  {},        call.invoked, call.invoked,
                   call.line,    event.line, call.time, event.time};
  auto hold = std::ranges::find(holds_, event.client, &Session::client);
  hold = hold == holds_.end() ? holds_.begin() : hold;
  if (hold != holds_.end()) {
    holds_.erase(hold);
  }
}

// The event shows it, but need not be the call that was wrong: that is the last grant, or release.
void CountCheck::blame(bool grants, const CallEvent& event, Position position) {
  if (decided()) {
    return;
  }
  if (grants && may_be_let_go_) {
    refer_to_search(event, position);
    return;
  }
  CallEvent wrong = event;
  if (grants && !holds_.empty()) {
    const Session last = holds_.back();
    const auto may_be_over = [&](const Session& hold) {
      const LastCall& call = last_call(hold.client);
      return call.is_open && call.action == Action::release;
    };
    std::erase_if(holds_, may_be_over);
    if (holds_.empty() || holds_.back().granted != last.granted) {
      holds_.push_back(last);
    }
    verdict_.sessions.assign(
        holds_.end() - std::min<std::ptrdiff_t>(std::ssize(holds_), permits_ + std::ptrdiff_t{1}),
        holds_.end());
    wrong.client = last.client;
    wrong.line = last.grant_line;
    wrong.time = last.grant_time;
  } else if (!grants && (is_acquire(event.action) || event.type != CallEventType::ok)) {
    wrong.client = last_release_.client;
    wrong.line = last_release_.grant_line;
    wrong.time = last_release_.grant_time;
  }
  fail(grants ? FastCause::too_many_grants : FastCause::too_many_releases, wrong, position);
}

// What it holds may be let go from now on.
void CountCheck::on_ended(const CallEvent& event, Position position) {
  const LastCall& call = last_call(event.client);
  const bool acquires = call.is_open && is_acquire(call.action);
  may_be_let_go_ = may_be_let_go_ || acquires || perhaps_held_[event.client] > 0;
  perhaps_held_[event.client] = 0;
  releases_.open.insert(releases_.open.end(), held_[event.client], position);
  held_[event.client] = 0;
  std::erase_if(holds_, [&](const Session& hold) { return hold.client == event.client; });
}

}  // namespace holdfast::linear
