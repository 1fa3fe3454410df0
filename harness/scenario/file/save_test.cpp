// How: every scenario that is shipped is written and read again; what is written then is the same text.
#include "harness/scenario/file/save.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/scenario/file/load.h"
#include "locks/catalog.h"

namespace holdfast {
namespace save_test {

TEST(Save, EveryScenarioComesBackAsItWas) {
  const std::string directory = std::string(HOLDFAST_SOURCE_DIR) + "/scenarios";
  ScenarioNames names;
  for (const LockEntry& lock : all_locks()) {
    names.locks.emplace_back(lock.id);
  }
  for (const std::string& name : scenario_names_in(directory)) {
    const Scenario original = load_scenario(fmt::format("{}/{}.json", directory, name), names);
    const std::string text = to_json_text(original);
    const Scenario again = parse_scenario(text, name, name, names);
    EXPECT_EQ(to_json_text(again), text) << name;
    EXPECT_EQ(again.faults.size(), original.faults.size()) << name;
    ASSERT_EQ(again.sweep.size(), original.sweep.size()) << name;
    for (std::size_t fault = 0; fault < original.sweep.size(); ++fault) {
      EXPECT_EQ(again.sweep[fault].at.phase, original.sweep[fault].at.phase) << name;
    }
    EXPECT_EQ(again.clients.size(), original.clients.size()) << name;
    EXPECT_EQ(again.expect_for.size(), original.expect_for.size()) << name;
  }
}

}  // namespace save_test
}  // namespace holdfast
