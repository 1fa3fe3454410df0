// The ids that a scenario may use, and what each fault reads.
//
// The locks are handed in, so that reading a scenario does not depend on the lock catalog. The parameters
// of faults are part of the file format and stand here.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace holdfast {

// By the names that the file uses: what FaultSpec calls `lasts` is "for".
struct FaultParameters {
  std::vector<std::string> reads;  // besides "fault", "on" and "at"
  std::vector<std::string> needs;  // of those, which must be there; "for|until": one of them
  bool redis_servers_only = false;
};

std::map<std::string, FaultParameters> fault_parameters();

struct ScenarioNames {
  std::vector<std::string> locks;
  std::map<std::string, FaultParameters> faults = fault_parameters();
  std::vector<std::string> properties{};  // of the checks; empty: any name is taken
};

}  // namespace holdfast
