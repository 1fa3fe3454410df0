// Fencing tokens: each is new, and greater than every token returned before its acquire was invoked.
//
// Keeps working after mutual exclusion broke. On invoke the greatest token returned so far is noted; on
// return the new one must exceed it. Two acquires that overlap in time may get their tokens in either
// order, but never the same one.
#pragma once

#include <set>
#include <vector>

#include "harness/check/check.h"

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
  };
  enum class Fault : std::uint8_t { none, repeated, not_greater, missing };

  bool has_token_ = false;
  std::int64_t greatest_ = 0;
  bool any_ = false;
  std::vector<Pending> pending_;
  std::set<std::int64_t> seen_;
  Fault fault_ = Fault::none;
  std::size_t event_ = 0;
  std::int64_t floor_ = 0;
};

}  // namespace holdfast
