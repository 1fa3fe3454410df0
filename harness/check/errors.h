// Does the lock work at all? An operation whose every attempt the server answers with an error never does.
#pragma once

#include <cstdint>
#include <string>

#include "harness/check/check.h"

namespace holdfast {

class ErrorCheck final : public Check {
 public:
  CheckId id() const override { return CheckId::operation; }
  void reset(const CheckContext& context) override;
  void on_event(const Event& event, const History& history) override;
  void finish(Duration, RunEnd) override {}
  Judgement judgement() const override;
  Verdict verdict(const History& history) const override;

 private:
  struct Tally {
    std::uint64_t worked = 0;  // granted, released, or refused as a lock refuses
    std::uint64_t errors = 0;  // the server itself refused the command
    std::size_t event = 0;
    bool always_error() const { return errors > 0 && worked == 0; }
  };
  Tally acquires_;
  Tally releases_;
};

}  // namespace holdfast
