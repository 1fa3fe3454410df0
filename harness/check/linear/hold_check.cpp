#include "harness/check/linear/hold_check.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "harness/check/linear/model.h"
#include "harness/kernel/require.h"

namespace holdfast::linear {

void HoldCheck::on_invoke(const CallEvent& event, Position) {
  Client& client = clients_[event.client];
  if (event.action == Action::release) {
    client.grants_at_invoke = grants_;
    if (client.depth == 1) {
      client.releasing = true;
      close_core(client);
    }
    return;
  }
  const auto holds = [&](ClientNumber each) {
    return !(rules_.reentrant && each == event.client) &&
           !(rules_.shared && event.mode == Mode::shared && clients_[each].session.mode == Mode::shared);
  };
  client.sees_core = std::ranges::any_of(cores_, holds);
  client.sees_stretch =
      last_may_hold_ && !rules_.shared && !(rules_.reentrant && last_session_.client == event.client);
}

void HoldCheck::on_return(const CallEvent& event, Position position) {
  Client& client = clients_[event.client];
  if (event.action == Action::release) {
    finish_release(client, event, position);
  } else {
    finish_acquire(client, event, position);
  }
}

void HoldCheck::finish_acquire(Client& client, const CallEvent& event, Position position) {
  if (event.type == CallEventType::info) {
    remember_credit(client);
  } else if (event.type == CallEventType::ok && event.refused) {
    refuse(client, event, position);
  } else if (event.type == CallEventType::ok) {
    grant(client, event, position);
  }
}

void HoldCheck::grant(Client& client, const CallEvent& event, Position position) {
  if (client.depth > 0) {
    nest(client, event, position);
    return;
  }
  if (conflicts(client, event, position)) {
    return;
  }
  require(std::ranges::find(cores_, event.client) == cores_.end(), "a client has one open core at most");
  const Session session = session_of(client, event, position);
  if (!token_fits(event, session, position)) {
    return;
  }
  if (rules_.ordered && grants_ > 0 && call_of(client).invoked < last_session_.acquire_invoked) {
    verdict_.sessions = {last_session_, session};
    fail_unless(client.stray || clients_[last_session_.client].stray, FastCause::overtaken, event, position);
    return;
  }
  explain_refusals(client, position);
  ++grants_;
  last_grant_ = position;
  client.depth = 1;
  if (client.loose && (rules_.reentrant || rules_.shared)) {
    stray(client);  // perhaps the hold before has not ended, and this is re-entry
  }
  client.loose = false;
  client.session = session;
  cores_.push_back(event.client);
  last_session_ = session;
  last_may_hold_ = true;
}

// The client holds the lock already.
void HoldCheck::nest(Client& client, const CallEvent& event, Position position) {
  const bool both_shared =
      rules_.shared && call_of(client).mode == Mode::shared && client.session.mode == Mode::shared;
  const auto differs = [&](FastCause cause) {
    verdict_.sessions = {client.session, session_of(client, event, position)};
    fail_unless(client.stray, cause, event, position);
  };
  if (!rules_.reentrant && !both_shared) {
    differs(FastCause::granted_again);
  } else if (rules_.fenced && event.token && !client.session.token) {
    refer_to_search(event, position);
  } else if (rules_.fenced && event.token && *event.token != *client.session.token) {
    differs(FastCause::token_changed);
  } else {
    ++client.depth;
  }
}

bool HoldCheck::conflicts(const Client& client, const CallEvent& event, Position position) {
  const bool shared = rules_.shared && call_of(client).mode == Mode::shared;
  for (const ClientNumber other : cores_) {
    if (!(shared && clients_[other].session.mode == Mode::shared)) {
      verdict_.sessions = {clients_[other].session, session_of(client, event, position)};
      fail_unless(client.stray || clients_[other].stray, FastCause::overlap, event, position);
      return true;
    }
  }
  return false;
}

bool HoldCheck::token_fits(const CallEvent& event, const Session& session, Position position) {
  if (!rules_.fenced || !event.token) {
    return true;
  }
  if (greatest_ && *event.token <= *greatest_->token) {
    const Client& client = clients_[event.client];
    const bool may_be_reentry = rules_.reentrant && (client.loose || client.credits > 0);
    const bool order_is_open = client.stray || clients_[greatest_->client].stray;
    verdict_.sessions = {*greatest_, session};
    fail_unless(may_be_reentry || order_is_open, FastCause::token_not_greater, event, position);
    return false;
  }
  // Grants that nobody knows of have taken tokens in between, or come elsewhere.
  if (greatest_ && floats_since_token_ > 0 &&
      static_cast<std::uint64_t>(*event.token) - static_cast<std::uint64_t>(*greatest_->token) <=
          floats_since_token_) {
    refer_to_search(event, position);
    return false;
  }
  remember_spare_tokens(*event.token, position);
  greatest_ = session;
  floats_since_token_ = 0;
  return true;
}

// A hold nobody knew of may come to light later, and have been here.
void HoldCheck::remember_spare_tokens(std::int64_t token, Position position) {
  constexpr std::size_t most_remembered = 16;
  const std::uint64_t count = greatest_ ? static_cast<std::uint64_t>(token) -
                                              static_cast<std::uint64_t>(*greatest_->token) - 1 -
                                              floats_since_token_
                                        : std::numeric_limits<std::uint64_t>::max();
  if (count == 0) {
    return;
  }
  if (spare_tokens_.size() == most_remembered) {
    spare_tokens_.erase(spare_tokens_.begin());
  }
  spare_tokens_.push_back({position, count});
}

// The earliest will do: whoever is still to come returns later, and can make do with a later one.
bool HoldCheck::use_spare_token(Position since) {
  const auto spare = std::ranges::upper_bound(spare_tokens_, since, {}, &SpareTokens::position);
  if (spare == spare_tokens_.end()) {
    return false;
  }
  require(spare->count > 0, "tokens to spare are there to be used");
  if (--spare->count == 0) {
    spare_tokens_.erase(spare);
  }
  return true;
}

// The next session may be stretched back to its acquire's invocation, and no later one can.
void HoldCheck::explain_refusals(const Client& client, Position position) {
  if (!unexplained_) {
    return;
  }
  if (call_of(client).invoked < unexplained_->returned) {
    stretched(unexplained_->event, position);
    unexplained_.reset();
    refused_several_ = false;
    return;
  }
  const bool somebody_may_have_held =
      has_credits_ || rules_.ordered || std::ranges::any_of(clients_, [&](const Client& other) {
        const LastCall& call = call_of(other);
        return call.is_open && is_acquire(call.action) && call.invoked < unexplained_->returned;
      });
  if (somebody_may_have_held) {
    refer_to_search(unexplained_->event, position);
  } else {
    fail_unless(has_strays_, FastCause::refused_though_free, unexplained_->event, position);
  }
}

void HoldCheck::refuse(const Client& client, const CallEvent& event, Position position) {
  if (rules_.reentrant && client.depth > 0) {
    verdict_.sessions = {client.session};
    fail_unless(client.stray, FastCause::refused_to_holder, event, position);
    return;
  }
  const bool granted_meanwhile = grants_ > 0 && last_grant_ > call_of(client).invoked;
  if (client.sees_core || (granted_meanwhile && !rules_.shared)) {
    return;
  }
  if (client.sees_stretch || (rules_.reentrant && last_may_hold_)) {
    if (unexplained_ || !client.sees_stretch) {
      refer_to_search(event, position);  // whoever explains the one may not explain the other
    }
    stretched(event, position);
    return;
  }
  if (rules_.shared) {
    if (!(granted_meanwhile &&
          (call_of(client).mode == Mode::exclusive || last_session_.mode == Mode::exclusive))) {
      refer_to_search(event, position);
    }
    return;
  }
  if (!unexplained_) {
    unexplained_ = Unexplained{position, event};
  } else if (unexplained_->event.client != event.client) {
    refused_several_ = true;
  }
}

// A release of the client that may have happened may still come, and end a later hold.
void HoldCheck::stray(Client& client) {
  client.stray = true;
  has_strays_ = true;
}

void HoldCheck::fail_unless(bool uncertain, FastCause cause, const CallEvent& event, Position position) {
  if (uncertain) {
    refer_to_search(event, position);
  } else {
    fail(cause, event, position);
  }
}

// A session was stretched over a refused attempt: a hold nobody knows of may no longer fit beside it.
void HoldCheck::stretched(const CallEvent& event, Position position) {
  last_stretch_ = std::max(last_stretch_, position);
  if (floats_ > 0 && last_float_ >= last_grant_) {
    refer_to_search(event, position);
  }
}

void HoldCheck::finish_release(Client& client, const CallEvent& event, Position position) {
  CallEventType type = event.type;
  if (type == CallEventType::fail && reading_.failed == ReleaseReading::perhaps) {
    type = CallEventType::info;
  } else if (type == CallEventType::info && reading_.unknown == ReleaseReading::nothing) {
    type = CallEventType::fail;
  }
  const bool refused = type == CallEventType::ok && event.refused;
  if (client.depth == 0) {
    if (type == CallEventType::info) {
      stray(client);
    } else if (refused) {
      refuse_release(client, event, position);
    } else if (type == CallEventType::ok) {
      release_without_session(client, event, position);
    }
    return;
  }
  if (refused) {
    verdict_.sessions = {client.session};
    fail_unless(client.stray, FastCause::release_refused, event, position);
  } else if (type == CallEventType::fail) {
    if (client.releasing) {
      reopen(client, event, position);
    }
  } else if (client.releasing) {
    end_session(client, type == CallEventType::info);
  } else {
    require(client.depth > 1, "a release that ends no hold was nested");
    --client.depth;
    if (type == CallEventType::info) {
      stray(client);
    }
  }
}

// It shows that a hold before has ended, if that was not known.
void HoldCheck::refuse_release(Client& client, const CallEvent& event, Position position) {
  refused_release_ = true;
  if (!std::exchange(client.loose, false) || last_session_.client != event.client) {
    return;
  }
  if (last_stretch_ > call_of(client).invoked) {
    refer_to_search(event, position);
  }
  last_may_hold_ = false;
  for (Client& other : clients_) {
    made_a_choice_ = made_a_choice_ || (call_of(other).is_open && other.sees_stretch);
    other.sees_stretch = false;
  }
}

void HoldCheck::release_without_session(Client& client, const CallEvent& event, Position position) {
  if (client.credits == 0 && !client.loose) {
    fail_unless(client.stray, FastCause::release_without_hold, event, position);
    return;
  }
  if (rules_.reentrant || rules_.shared || rules_.ordered) {
    refer_to_search(event, position);
    return;
  }
  if (client.loose && client.grants_at_close == client.grants_at_invoke) {
    stray(client);
    const bool others_fit = client.floats_at_close == floats_ && !unexplained_;
    if (others_fit || client.credits == 0) {
      client.loose = false;
      if (last_session_.client == event.client) {
        last_may_hold_ = false;
      }
      if (!others_fit) {
        refer_to_search(event, position);
      }
      return;
    }
  }
  if (client.credits == 0 || !place_float(client, event, position)) {
    fail_unless(has_strays_, FastCause::release_without_hold, event, position);
  }
}

// The hold nobody knew of needs an instant of the release's interval at which no core was open.
bool HoldCheck::place_float(Client& client, const CallEvent& event, Position position) {
  if (!cores_.empty() && last_grant_ < call_of(client).invoked) {
    return false;
  }
  if (unexplained_ || last_stretch_ > call_of(client).invoked) {
    refer_to_search(event, position);
    return true;
  }
  if (!rules_.fenced || !use_spare_token(call_of(client).invoked)) {
    if (rules_.fenced && !cores_.empty() && last_session_.token) {
      refer_to_search(event, position);  // it comes before a token that leaves it none
      return true;
    }
    ++floats_since_token_;
  }
  require(client.credits > 0, "a hold that nobody knew of was asked for");
  last_float_ = position;
  --client.credits;
  ++floats_;
  return true;
}

// The release failed: the core was never closed.
void HoldCheck::reopen(Client& client, const CallEvent& event, Position position) {
  client.releasing = false;
  if (client.grants_at_close != grants_) {
    if (rules_.shared && client.session.mode == Mode::shared) {
      refer_to_search(event, position);
      return;
    }
    verdict_.sessions = {client.session, last_session_};
    fail_unless(client.stray || clients_[last_session_.client].stray, FastCause::overlap, event, position);
    return;
  }
  if (client.floats_at_close != floats_) {
    refer_to_search(event, position);
    return;
  }
  unexplained_.reset();  // here is who held it
  cores_.push_back(event.client);
}

void HoldCheck::on_ended(const CallEvent& event, Position) {
  Client& client = clients_[event.client];
  if (call_of(client).is_open && is_acquire(call_of(client).action)) {
    remember_credit(client);
  }
  if (client.had_credits) {
    stray(client);  // what it may hold may be let go
  }
  if (client.depth == 0) {
    return;
  }
  if (!client.releasing) {
    close_core(client);
  }
  end_session(client, true);
}

void HoldCheck::close_core(Client& client) {
  const std::size_t closed = std::erase(cores_, client.number);
  require(closed == 1, "a core is closed once, while it is open");
  client.grants_at_close = grants_;
  client.floats_at_close = floats_;
}

void HoldCheck::end_session(Client& client, bool loosely) {
  require(client.depth > 0, "only a hold ends");
  client.depth = 0;
  client.releasing = false;
  client.loose = client.loose || loosely;
  if (!loosely && last_session_.granted == client.session.granted) {
    last_may_hold_ = false;
  }
}

void HoldCheck::remember_credit(Client& client) {
  ++client.credits;
  client.had_credits = true;
  has_credits_ = true;
  if (call_of(client).invoked < first_credit_) {
    first_credit_ = call_of(client).invoked;
    first_creditor_ = client.number;
  }
}

Session HoldCheck::session_of(const Client& client, const CallEvent& event, Position position) const {
  const LastCall& call = call_of(client);
  return {client.number, call.mode,  event.token, call.invoked, position,
          call.line,     event.line, call.time,   event.time};
}

void HoldCheck::finish() {
  if (decided() || !unexplained_) {
    return;
  }
  for (Client& client : clients_) {
    const LastCall& call = call_of(client);
    if (call.is_open && !call.ended && is_acquire(call.action)) {
      remember_credit(client);
    }
  }
  // After the last session, whoever may have taken the lock may have kept it for ever.
  if (first_credit_ < unexplained_->returned) {
    const bool depends_on_who =
        rules_.reentrant && (refused_several_ || first_creditor_ == unexplained_->event.client);
    if (floats_ > 0 || rules_.ordered || refused_release_ || depends_on_who) {
      refer_to_search(unexplained_->event, unexplained_->returned);
    }
    return;
  }
  if (rules_.ordered) {
    refer_to_search(unexplained_->event, unexplained_->returned);
    return;
  }
  fail_unless(has_strays_, FastCause::refused_though_free, unexplained_->event, unexplained_->returned);
}

}  // namespace holdfast::linear
