// What the user asked `holdfast explore` for, as typed, and what it means.
#pragma once

#include <string>
#include <vector>

#include "harness/explore/exploration/plan.h"

namespace holdfast::cli {

struct ExploreOptions {
  std::vector<std::string> locks;
  std::string scenario = std::string(usual_scenario);
  std::vector<std::string> strategies;
  std::string runs;
  std::string duration;
  std::string run;
  std::string jobs;
  std::string shard = "1/1";
  std::string seed = "1";
  std::string clients;
  std::string rounds;
  std::string faults;
  std::string shape;
  std::string out;
  bool json = false;
};

// Throws BadInput with one sentence.
ExploreRequest request_from(const ExploreOptions& options, TargetShelf& shelf);

}  // namespace holdfast::cli
