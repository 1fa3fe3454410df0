// The protected resource: did storage accept what it should not have?
//
// A write is based on the version its writer had read. If storage was at another version when it accepted
// the write, an update was lost: two clients worked on the resource at once. Where the resource is a stock,
// selling more than there was is the same harm in money.
#pragma once

#include "harness/check/check.h"

namespace holdfast {

class ResourceCheck final : public Check {
 public:
  CheckId id() const override { return CheckId::resource; }
  void reset(const CheckContext& context) override;
  void on_event(const Event& event, const History& history) override;
  void finish(Duration, RunEnd) override {}
  Judgement judgement() const override;
  Verdict verdict(const History& history) const override;
  std::uint64_t rejected() const { return rejected_; }

 private:
  std::int64_t stock_ = -1;
  std::uint64_t writes_ = 0;
  std::uint64_t rejected_ = 0;
  bool hurt_ = false;
  bool oversold_ = false;
  std::size_t event_ = 0;
};

}  // namespace holdfast
