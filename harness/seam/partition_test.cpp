// What a server keeps of a connection, when its client gives the connection up while nobody can tell it.
#include <gtest/gtest.h>

#include "harness/seam/test_program.h"

namespace holdfast::partition_test {

// The grant is lost, and so is the end of the connection that holds it; nothing but that end frees the lock.
TEST_F(SeamTest, TheEndOfAConnectionIsNotLostInAPartition) {
  const Outcome told = holdfast({"run", story(R"({"fault": "partition", "on": "c1", "for": "3s",
                                 "at": {"client": "c1", "command": "lock", "phase": "applied"}})",
                                              "porter-lock", R"({"porter": {"silence": "500s"}})")});
  EXPECT_EQ(told.code, 0) << told.out << told.err;
}

}  // namespace holdfast::partition_test
