#include "harness/check/linear/hold_watch.h"

#include <algorithm>
#include <type_traits>

#include "harness/check/linear/model.h"
#include "harness/kernel/require.h"

namespace holdfast::linear {

HoldWatchRules hold_watch_rules(const AnyModel& model) {
  return with_model(model, [](const auto& each) -> HoldWatchRules {
    using Model = std::decay_t<decltype(each)>;
    if constexpr (std::is_same_v<Model, ReentrantMutex> || std::is_same_v<Model, ReentrantFencedMutex>) {
      return {.reentrant = true};
    } else if constexpr (std::is_same_v<Model, ReadWriteLock>) {
      return {.shared = true};
    } else if constexpr (std::is_same_v<Model, Mutex>) {
      return {.ownerless = true};
    } else if constexpr (std::is_same_v<Model, Semaphore>) {
      return {.ownerless = true, .counted = true, .permits = each.permits};
    } else {
      return {.is_lock = Model::knows(Action::acquire)};
    }
  });
}

void HoldWatch::LastEnds::note(const End& end) {
  if (latest && latest->client != end.client) {
    of_another = latest;
  }
  latest = end;
}

const std::optional<HoldWatch::End>& HoldWatch::LastEnds::before(ClientNumber client) const {
  return latest && latest->client == client ? of_another : latest;
}

void HoldWatch::observe(const CallEvent& event, Position position) {
  if (!rules_.is_lock || (event.type != CallEventType::ended && event.type != CallEventType::asked &&
                          !is_lock_action(event.action))) {
    return;
  }
  if (event.client >= clients_.size()) {
    clients_.resize(event.client + 1);
  }
  Client& client = clients_[event.client];
  switch (event.type) {
    case CallEventType::invoke:
      invoke(client, event, position);
      return;
    case CallEventType::ended:
      end_client(client, event);
      return;
    case CallEventType::asked:
      note_asked(client);
      return;
    default:
      finish_call(client, event, position);
  }
}

void HoldWatch::invoke(Client& client, const CallEvent& event, Position position) {
  if (client.is_open) {
    leave_waiters(client);
  }
  client.is_open = true;
  client.ended = false;
  client.action = event.action;
  client.mode = event.mode;
  client.invoked = position;
  client.line = event.line;
  client.time = event.time;
  if (event.action == Action::release) {
    release(client, event);
    return;
  }
  if (greatest_.token) {
    client.greatest = greatest_;
  }
  if (event.action == Action::acquire) {
    waiters_.push_back({position, event.client});
  }
}

void HoldWatch::finish_call(Client& client, const CallEvent& event, Position position) {
  if (!client.is_open || client.action != event.action) {
    return;
  }
  client.is_open = false;
  if (event.action == Action::release) {
    return;  // its invocation ended the hold
  }
  if (event.type == CallEventType::ok && !event.refused) {
    grant({event.client, client.mode, event.token, client.invoked, position, client.line, event.line,
           client.time, event.time},
          event);
  } else if (event.type == CallEventType::info && !client.ended) {
    ++client.perhaps;
  }
  leave_waiters(client);
}

void HoldWatch::end_client(Client& client, const CallEvent& event) {
  if (client.is_open) {
    leave_waiters(client);
    client.ended = true;
  }
  client.perhaps = 0;
  while (const std::optional<std::size_t> index = oldest_hold_of(event.client)) {
    note_end(hold_at(*index).session, event);
    close_hold(*index, event);
  }
}

void HoldWatch::release(Client& client, const CallEvent& event) {
  std::optional<std::size_t> index = oldest_hold_of(event.client);
  if (!index) {
    if (!rules_.ownerless) {
      return;
    }
    if (client.perhaps > 0) {
      --client.perhaps;
      return;
    }
    if (open_.empty()) {
      return;
    }
    index = 0;
  }
  Hold& hold = hold_at(*index);
  require(hold.depth > 0, "a hold that is released is held");
  if (--hold.depth > 0) {
    return;
  }
  measure_margin(hold.session, event);
  note_end(hold.session, event);
  close_hold(*index, event);
  note_awaited_release();
}

void HoldWatch::note_awaited_release() {
  is_release_open_ = !waiters_.empty();
  awake_ = 0;
  findings_.awaited_releases += is_release_open_ ? 1 : 0;
}

void HoldWatch::note_asked(Client& client) {
  if (!is_release_open_ || !waits(client) || client.woken_by == findings_.awaited_releases) {
    return;
  }
  client.woken_by = findings_.awaited_releases;
  ++findings_.wake_ups;
  findings_.most_wake_ups = std::max(findings_.most_wake_ups, ++awake_);
}

void HoldWatch::grant(const Session& session, const CallEvent& event) {
  const Client& client = clients_[session.client];
  ++findings_.grants;
  is_release_open_ = false;
  const std::optional<std::size_t> own = rules_.counted ? std::nullopt : oldest_hold_of(session.client);
  const bool nests = own && (rules_.reentrant || (is_shared(session) && is_shared(hold_at(*own).session)));
  if (session.token) {
    ++findings_.tokens;
    judge_token(client, session, nests ? &hold_at(*own).session : nullptr);
  }
  if (nests) {
    ++hold_at(*own).depth;
    return;
  }
  if (client.ended) {
    return;
  }
  if (own) {
    close_hold(*own, event);
  }
  pass_over_waiters(session);
  begin(session);
}

void HoldWatch::begin(const Session& session) {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(holds_.size()));
    holds_.emplace_back();
  }
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  Hold& hold = holds_[slot];
  hold = {session};
  if ((is_shared(session) ? exclusive_open_ : open_.size()) >= rules_.permits) {
    meet_overlap(hold);
  } else {
    measure_gap(session);
  }
  require(open_.size() + free_slots_.size() + 1 == holds_.size(), "every hold is open or free");
  open_.push_back({session.client, slot});
  exclusive_open_ += is_shared(session) ? 0 : 1;
}

void HoldWatch::meet_overlap(Hold& hold) {
  ++findings_.overlaps;
  ++overlaps_open_;
  hold.overlaps = true;
  if (findings_.first_overlap) {
    return;
  }
  hold.is_first_overlap = true;
  Overlap& overlap = findings_.first_overlap.emplace();
  for (std::size_t index = 0; overlap.sessions.size() < rules_.permits; ++index) {
    require(index < open_.size(), "an overlap is with as many holds as there are permits");
    if (may_not_coexist(hold_at(index).session, hold.session)) {
      overlap.sessions.push_back(hold_at(index).session);
    }
  }
  overlap.sessions.push_back(hold.session);
  overlap.from = hold.session.grant_time;
  overlap.from_line = hold.session.grant_line;
}

void HoldWatch::measure_gap(const Session& session) {
  const bool shared = is_shared(session);
  const std::optional<End>& end = (shared ? exclusive_ends_ : ends_).before(session.client);
  const bool takes_the_last = shared || open_.size() + 1 == rules_.permits;
  if (!takes_the_last || !end || end->time == no_time || session.grant_time == no_time) {
    return;
  }
  const std::int64_t gap = session.grant_time - end->time;
  if (!findings_.smallest_gap || gap < findings_.smallest_gap->nanoseconds) {
    findings_.smallest_gap = Gap{gap, end->client, session.client, end->line, session.grant_line};
  }
}

void HoldWatch::measure_margin(const Session& session, const CallEvent& release) {
  if (!lease_ns_ || session.acquire_time == no_time || release.time == no_time) {
    return;
  }
  const std::int64_t margin = *lease_ns_ - (release.time - session.acquire_time);
  if (!findings_.smallest_lease_margin || margin < findings_.smallest_lease_margin->nanoseconds) {
    findings_.smallest_lease_margin = LeaseMargin{margin, session, release.line};
  }
}

void HoldWatch::judge_token(const Client& client, const Session& session, const Session* own_hold) {
  const auto is_the_same = [&](const Session& other) { return other.token == session.token; };
  if (own_hold != nullptr && is_the_same(*own_hold)) {
    return;
  }
  const bool shared = is_shared(session);
  const Session* earlier = nullptr;
  if (client.greatest.token &&
      (*session.token < *client.greatest.token || (!shared && is_the_same(client.greatest)))) {
    earlier = &client.greatest;
  } else if (!shared && is_the_same(greatest_)) {
    earlier = &greatest_;
  } else if (!shared) {
    const auto found = std::ranges::find_if(
        open_, [&](const OpenHold& open) { return is_the_same(holds_[open.slot].session); });
    earlier = found != open_.end() ? &holds_[found->slot].session : nullptr;
  }
  if (earlier != nullptr) {
    ++findings_.token_faults;
    if (!findings_.first_token_fault) {
      findings_.first_token_fault = TokenFault{*earlier, session};
    }
  }
  if (!greatest_.token || *session.token > *greatest_.token) {
    greatest_ = session;
  }
}

void HoldWatch::pass_over_waiters(const Session& session) {
  const auto end = std::ranges::lower_bound(waiters_, session.acquire_invoked, {}, &Waiter::invoked);
  if (end == waiters_.begin()) {
    return;
  }
  ++findings_.overtakings;
  std::uint32_t most = 0;
  for (auto waiter = waiters_.begin(); waiter != end; ++waiter) {
    most = std::max(most, ++waiter->passed_over);
  }
  findings_.most_overtaken = std::max<std::uint64_t>(findings_.most_overtaken, most);
}

bool HoldWatch::waits(const Client& client) const {
  const auto found = std::ranges::lower_bound(waiters_, client.invoked, {}, &Waiter::invoked);
  return client.is_open && found != waiters_.end() && found->invoked == client.invoked;
}

// Nothing happens if the client's call does not wait.
void HoldWatch::leave_waiters(const Client& client) {
  const auto found = std::ranges::lower_bound(waiters_, client.invoked, {}, &Waiter::invoked);
  if (found != waiters_.end() && found->invoked == client.invoked) {
    waiters_.erase(found);
  }
}

// An end when permits were free does not bear on how soon the last one may be taken.
void HoldWatch::note_end(const Session& session, const CallEvent& event) {
  if (open_.size() < rules_.permits) {
    return;
  }
  const End end{session.client, event.time, event.line};
  ends_.note(end);
  if (!is_shared(session)) {
    exclusive_ends_.note(end);
  }
}

void HoldWatch::close_hold(std::size_t index, const CallEvent& event) {
  require(index < open_.size(), "a hold that ends is open");
  for (std::size_t later = index; overlaps_open_ > 0 && later < open_.size(); ++later) {
    Hold& hold = hold_at(later);
    if (hold.overlaps && (later == index || made_overlap_with(index, later))) {
      close_overlap(hold, event);
    }
  }
  require(is_shared(hold_at(index).session) || exclusive_open_ > 0,
          "an exclusive hold that ends was counted");
  exclusive_open_ -= is_shared(hold_at(index).session) ? 0 : 1;
  free_slots_.push_back(open_[index].slot);
  open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(index));
}

void HoldWatch::close_overlap(Hold& hold, const CallEvent& event) {
  require(overlaps_open_ > 0 && hold.overlaps, "an overlap ends once, while it goes on");
  hold.overlaps = false;
  --overlaps_open_;
  if (event.time != no_time && hold.session.grant_time != no_time) {
    findings_.longest_overlap_ns =
        std::max(findings_.longest_overlap_ns, event.time - hold.session.grant_time);
  }
  if (hold.is_first_overlap) {
    require(findings_.first_overlap.has_value(), "the first overlap is remembered");
    findings_.first_overlap->to = event.time;
    findings_.first_overlap->to_line = event.line;
  }
}

bool HoldWatch::may_not_coexist(const Session& one, const Session& other) const {
  return !(is_shared(one) && is_shared(other));
}

// Whether the later hold's grant made an overlap in which the earlier one takes part. Those that do are the
// first ones that the later hold may not coexist with: as long as its overlap goes on none of them has ended,
// and so nobody else can have become one of the first.
bool HoldWatch::made_overlap_with(std::size_t earlier, std::size_t later) const {
  if (!rules_.shared) {
    return earlier < rules_.permits;
  }
  const Session& session = hold_at(later).session;
  for (std::size_t index = 0; index < earlier; ++index) {
    if (may_not_coexist(hold_at(index).session, session)) {
      return false;
    }
  }
  return may_not_coexist(hold_at(earlier).session, session);
}

std::optional<std::size_t> HoldWatch::oldest_hold_of(ClientNumber client) const {
  for (std::size_t index = 0; index < open_.size(); ++index) {
    if (open_[index].client == client) {
      return index;
    }
  }
  return std::nullopt;
}

}  // namespace holdfast::linear
