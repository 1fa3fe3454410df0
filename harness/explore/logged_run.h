// The run that a log of choices stands for, checked: its scenario and lock exist and fit together.
#pragma once

#include <string>

#include "harness/explore/choice_log.h"
#include "harness/run/simulation.h"

namespace holdfast {

class LoggedRun {
 public:
  // Throws BadInput, or what read_choice_log() and parse_scenario() throw.
  explicit LoggedRun(const std::string& path);
  LoggedRun(const LoggedRun&) = delete;
  LoggedRun& operator=(const LoggedRun&) = delete;
  ~LoggedRun() = default;

  const ChoiceLog& log() const { return log_; }
  const Scenario& scenario() const { return scenario_; }
  const LockEntry& lock() const { return *lock_; }
  // Without a strategy.
  RunRequest request() const;
  // Throws BadInput unless what came out is the run that was logged. `divergence` is the strategy's.
  void require_same(const RunReport& report, const std::string& divergence) const;

 private:
  std::string path_;
  ChoiceLog log_;
  Scenario scenario_;
  const LockEntry* lock_;
  Scope scope_{.menu = {}, .most_faults = 0, .reorders = true};
};

}  // namespace holdfast
