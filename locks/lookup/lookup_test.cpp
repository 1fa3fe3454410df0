// Looks up every id there is, and ids that there are not.
#include "locks/lookup/lookup.h"

#include <gtest/gtest.h>

#include <set>

#include "harness/text/bad_input.h"

namespace holdfast::lookup_test {

std::string refusal_of(const std::string& id) {
  try {
    lock_called(id);
  } catch (const BadInput& problem) {
    return problem.what();
  }
  return "found";
}

TEST(LockLookup, FindsEveryLockAndEveryMutantOnce) {
  std::set<std::string_view> seen;
  for (const LockEntry* lock : every_lock()) {
    EXPECT_EQ(find_lock(lock->id), lock);
    EXPECT_EQ(&lock_called(std::string(lock->id)), lock);
    EXPECT_TRUE(seen.insert(lock->id).second) << lock->id;
  }
  EXPECT_EQ(seen.size(), lock_ids().size() + mutant_ids().size());
}

TEST(LockLookup, SuggestsALockForALockAndAMutantForAMutant) {
  EXPECT_EQ(find_lock("redis-px-cda"), nullptr);
  EXPECT_EQ(refusal_of("redis-px-cda"),
            "there is no lock \"redis-px-cda\"; did you mean \"redis-px-cad\"? (\"holdfast list locks\" "
            "shows all)");
  EXPECT_NE(refusal_of("mutant-nothing-like-it").find("(\"holdfast list mutants\" shows all)"),
            std::string::npos);
}

}  // namespace holdfast::lookup_test
