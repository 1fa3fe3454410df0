#include "harness/check/linear/count_check.h"

#include <algorithm>

#include "harness/check/linear/model.h"

namespace holdfast::linear {

bool CountCheck::Side::advance(Position now) {
  if (advanced.size() >= open.size()) {
    return false;
  }
  advanced.push_back(now);
  return true;
}

bool CountCheck::Side::close(Position invoked, bool happened) {
  open.erase(std::ranges::lower_bound(open, invoked));
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

void CountCheck::observe(const CallEvent& event, Position position) {
  if (decided()) {
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
      end(client, position);
      return;
    default:
      finish_call(client, event, position);
  }
}

void CountCheck::invoke(Client& client, const CallEvent& event, Position position) {
  if (client.is_open && !client.ended) {
    reject(event, position, "a client calls while its call before is still open");
    return;
  }
  client = {true, false, event.action, position, client.held};
  (is_acquire(event.action) ? acquires_ : releases_).open.push_back(position);
}

void CountCheck::finish_call(Client& client, const CallEvent& event, Position position) {
  if (!client.is_open || client.action != event.action) {
    reject(event, position, "a return without such a call");
    return;
  }
  if (client.ended) {
    refer_to_search(event, position);
    return;
  }
  client.is_open = false;
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
    client.held -= client.held > 0 ? 1 : 0;
  }
  if (type == CallEventType::info) {
    return;  // it stays open for ever
  }
  if (side.close(client.invoked, happened)) {
    client.held += acquires ? 1 : 0;
    return;
  }
  if (!side.is_explained()) {
    fail(acquires ? FastCause::too_many_releases : FastCause::too_many_grants, event, position);
    return;
  }
  if (happened) {
    happen(acquires, event, position);
    client.held += acquires ? 1 : 0;
  } else if (type == CallEventType::ok) {
    refuse(client, acquires, event, position);
  }
}

void CountCheck::happen(bool acquires, const CallEvent& event, Position position) {
  const std::uint32_t bound = acquires ? permits_ : 0;
  if (taken_ == bound) {
    if (!(acquires ? releases_ : acquires_).advance(position)) {
      fail(acquires ? FastCause::too_many_grants : FastCause::too_many_releases, event, position);
      return;
    }
    set_taken(acquires ? taken_ - 1 : taken_ + 1, position);
  }
  set_taken(acquires ? taken_ + 1 : taken_ - 1, position);
}

void CountCheck::set_taken(std::uint32_t taken, Position position) {
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
void CountCheck::refuse(const Client& client, bool acquires, const CallEvent& event, Position position) {
  const bool seen = acquires ? taken_ == permits_ || (was_ever_full_ && last_full_ > client.invoked)
                             : taken_ == 0 || (was_ever_empty_ && last_empty_ > client.invoked);
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

// What it holds may be let go from now on.
void CountCheck::end(Client& client, Position position) {
  client.ended = client.is_open;
  releases_.open.insert(releases_.open.end(), client.held, position);
  client.held = 0;
}

}  // namespace holdfast::linear
