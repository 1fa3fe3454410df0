// A finding that was made small, as a run: its choices are kept as long as this is.
#pragma once

#include "harness/explore/shrink.h"

namespace holdfast {

class ShrunkRun {
 public:
  ShrunkRun(const ShrunkFinding& finding, const LockEntry& lock)
      : finding_(finding),
        lock_(lock),
        scope_{.menu = {}, .most_faults = 0, .reorders = finding.reorders},
        strategy_(finding.choices) {}
  ShrunkRun(const ShrunkRun&) = delete;
  ShrunkRun& operator=(const ShrunkRun&) = delete;
  ~ShrunkRun() = default;

  // For one run: the choices are used up by it.
  RunRequest request() {
    RunRequest request{.scenario = &finding_.scenario, .lock = &lock_, .seed = 1, .placement = std::nullopt};
    request.strategy = &strategy_;
    request.scope = &scope_;
    return request;
  }

 private:
  const ShrunkFinding& finding_;
  const LockEntry& lock_;
  Scope scope_;
  KeptChoices strategy_;
};

}  // namespace holdfast
