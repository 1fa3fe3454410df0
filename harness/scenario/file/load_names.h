// The ids that a scenario may use, besides those of faults.
//
// They are handed in, so that reading a scenario does not depend on the catalog of locks.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace holdfast {

struct ScenarioNames {
  std::vector<std::string> locks;
  // What each lock runs on; of one that is not there nobody knows.
  std::map<std::string, std::string, std::less<>> stores{};
};

}  // namespace holdfast
