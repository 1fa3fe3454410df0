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
  enum class Strikes : std::uint8_t { any, clients, servers };
  enum class Step : std::uint8_t {
    any,
    call_or_lasting,  // at a step of a call it strikes one message; elsewhere it must last
    reply,            // only where a server has executed something
  };

  std::vector<std::string> reads;  // besides "fault", "on" and "at"
  std::vector<std::string> needs;  // of those, which must be there; "for|until": one of them
  Strikes strikes = Strikes::any;
  Step step = Step::any;
};

// What the faults of faults/ read.
std::map<std::string, FaultParameters> fault_parameters();

struct ScenarioNames {
  std::vector<std::string> locks;
  std::map<std::string, FaultParameters> faults = fault_parameters();
  std::vector<std::string> properties{};  // of the checks; empty: any name is taken
};

}  // namespace holdfast
