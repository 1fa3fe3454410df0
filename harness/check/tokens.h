// Fencing tokens: each is new, they grow along the order of grants, and they lock no rightful holder out.
//
// Keeps working after mutual exclusion broke. On invoke the greatest token returned so far is noted; on
// return the new one must exceed it. Two acquires that overlap in time may get their tokens in either
// order, but never the same one; yet who is granted the lock after another's hold is over must have the
// greater one, whenever it asked: else storage has seen a greater one, and rejects the only holder. Such a
// rejection is itself the harm that tokens can do, and is judged too. A thread that enters its own hold again
// may keep its token or get a greater one.
//
// Who was granted the lock while a fault was about may have been granted it long before it heard of that, and
// lost it since: of its grant only the first two rules are asked.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "harness/check/check.h"
#include "harness/check/hold_tracker.h"

namespace holdfast {

class TokenCheck final : public Check {
 public:
  CheckId id() const override { return CheckId::fencing_tokens; }
  void reset(const CheckContext& context) override;
  bool watches() const override { return has_token_; }
  void on_event(const Event& event, const History& history) override;
  void finish(Duration, RunEnd) override {}
  Judgement judgement() const override;
  Verdict verdict(const History& history) const override;

 private:
  struct Pending {
    std::uint32_t session;
    std::int64_t floor;
    std::uint64_t faults;  // told of so far
    bool in_a_fault;
  };
  // An open hold with its newest token.
  struct Owner {
    ProcessId process{};
    std::uint32_t thread = 0;
    std::optional<std::int64_t> token;
    bool is_rightful = false;  // granted without a fault, and no other was granted beside it
  };
  enum class Fault : std::uint8_t { none, repeated, not_greater, missing, not_after, lowered, locked_out };

  void granted(const Event& event, const Pending& pending, std::size_t index);
  void accuse(Fault fault, std::size_t index, std::int64_t floor);
  Owner* owner(const Event& event);
  void follow_holds(const Event& event, std::size_t index);

  bool has_token_ = false;
  std::int64_t greatest_ = 0;
  std::int64_t greatest_over_ = 0;  // of holds that are over
  std::uint64_t faults_ = 0;        // told of so far
  std::int64_t lasting_faults_ = 0;
  bool any_ = false;
  HoldTracker tracker_;
  std::vector<Pending> pending_;
  std::vector<Owner> owners_;
  std::set<std::int64_t> seen_;
  Fault fault_ = Fault::none;
  std::size_t event_ = 0;
  std::int64_t floor_ = 0;
};

}  // namespace holdfast
