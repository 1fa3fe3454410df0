// The fast check of locks that have owners: plain, re-entrant, fenced, first come first served, read-write.
//
// See fast.h for the rule of cores. Beyond it:
// - A release that turns out to have failed never ended its core: the core opens again, and whoever was
//   granted meanwhile overlaps it.
// - An acquire with unknown outcome is a *credit* of its client: it may take effect at any later time, or
//   never. A release that succeeds without a session uses one up, and needs an instant of its own interval
//   at which no core is open, and with fencing tokens a token of its own: one that the grants around it left
//   out.
// - A release with unknown outcome ends its core, unless a further release of the client succeeds: then the
//   first one may not have happened, if nobody was granted the lock in between.
// - A refused attempt needs a holder at some instant of its interval. A session can be stretched back to its
//   acquire's invocation and forth to its release's return, as far as no other core stands in between; so
//   the last session granted, one granted meanwhile, or the next one may serve.
#pragma once

#include "harness/check/linear/fast.h"

namespace holdfast::linear {

struct HoldRules {
  bool reentrant = false;
  bool fenced = false;
  bool ordered = false;  // grants follow the order of invocations
  bool shared = false;   // Mode::shared is heeded
};

class HoldCheck final : public FastCheck {
 public:
  HoldCheck(HoldRules rules, Reading reading) : rules_(rules), reading_(reading) {}

  void finish() override;
  std::unique_ptr<FastCheck> clone() const override { return std::make_unique<HoldCheck>(*this); }
  void set_reading(Reading reading) override { reading_ = reading; }

 private:
  struct Client {
    ClientNumber number = 0;
    // Of its last acquire, when it was invoked: somebody held the lock, or may have.
    bool sees_core = false;
    bool sees_stretch = false;
    // What it holds.
    std::uint32_t depth = 0;  // acquires less releases; 0: no session
    bool releasing = false;   // its last release is open: the core is closed unless that fails
    Session session;
    // What may be.
    std::uint32_t credits = 0;
    bool had_credits = false;
    bool loose = false;  // its last session ended with a release nobody knows the outcome of
    bool stray = false;  // a release of its may come at any time, and end a hold that it was not meant for
    std::uint64_t grants_at_close = 0;   // when its core was closed
    std::uint64_t grants_at_invoke = 0;  // of its release
    std::uint64_t floats_at_close = 0;
  };
  // Tokens that nobody was seen to get, just below the one that was granted at `position`.
  struct SpareTokens {
    Position position = 0;
    std::uint64_t count = 0;
  };
  // A refused attempt that no session explains so far.
  struct Unexplained {
    Position returned = 0;
    CallEvent event;
  };

  void on_new_client() override {
    const auto number = static_cast<ClientNumber>(clients_.size());
    clients_.emplace_back().number = number;
  }
  void on_invoke(const CallEvent& event, Position position) override;
  void on_return(const CallEvent& event, Position position) override;
  void on_ended(const CallEvent& event, Position position) override;
  void finish_acquire(Client& client, const CallEvent& event, Position position);
  void finish_release(Client& client, const CallEvent& event, Position position);

  void grant(Client& client, const CallEvent& event, Position position);
  void nest(Client& client, const CallEvent& event, Position position);
  bool conflicts(const Client& client, const CallEvent& event, Position position);
  bool token_fits(const CallEvent& event, const Session& session, Position position);
  void remember_spare_tokens(std::int64_t token, Position position);
  bool use_spare_token(Position since);
  void explain_refusals(const Client& client, Position position);
  void refuse(const Client& client, const CallEvent& event, Position position);

  void refuse_release(Client& client, const CallEvent& event, Position position);
  void release_without_session(Client& client, const CallEvent& event, Position position);
  bool place_float(Client& client, const CallEvent& event, Position position);
  void stray(Client& client);
  void fail_unless(bool uncertain, FastCause cause, const CallEvent& event, Position position);
  void stretched(const CallEvent& event, Position position);
  void reopen(Client& client, const CallEvent& event, Position position);
  void close_core(Client& client);
  void end_session(Client& client, bool loosely);
  void remember_credit(Client& client);
  Session session_of(const Client& client, const CallEvent& event, Position position) const;
  const LastCall& call_of(const Client& client) const { return last_call(client.number); }

  HoldRules rules_;
  Reading reading_;
  std::vector<Client> clients_;
  std::vector<ClientNumber> cores_;  // who has an open core
  std::uint64_t grants_ = 0;
  std::uint64_t floats_ = 0;
  Position last_grant_ = 0;
  Session last_session_;
  bool last_may_hold_ = false;  // the last session may be stretched until now
  std::optional<Session> greatest_;
  std::uint64_t floats_since_token_ = 0;
  std::vector<SpareTokens> spare_tokens_;   // the latest few, by position
  std::optional<Unexplained> unexplained_;  // the first one
  bool refused_several_ = false;            // clients, since then
  bool refused_release_ = false;
  Position last_stretch_ = 0;  // over a refused attempt that returned then
  Position last_float_ = 0;
  bool has_credits_ = false;
  bool has_strays_ = false;
  Position first_credit_ = never_returned;
  ClientNumber first_creditor_ = 0;
};

}  // namespace holdfast::linear
