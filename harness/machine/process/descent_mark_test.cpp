// Programs that we start wear a mark, and so do those that they start, whatever they do.
#include "harness/machine/process/descent_mark.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "harness/machine/process/child.h"
#include "harness/machine/process/guard.h"
#include "harness/machine/process/test_place.h"

namespace holdfast::live {
namespace descent_mark_test {

TEST(DescentMark, IsWornByAllThatOneStarts) {
  ChildOptions options;
  options.arguments = {"env", "-i", "/bin/sh", "-c", "exec sleep 1000"};
  const Child child(options);
  const DescentMark ours = Guard::instance().mark();
  ASSERT_NE(ours.microseconds, 0U);
  EXPECT_TRUE(is_worn_by(ours, child.process()));
  EXPECT_FALSE(is_worn_by(ours, getpid()));
  EXPECT_FALSE(is_worn_by({}, child.process()));
  EXPECT_NE(new_descent_mark().microseconds, ours.microseconds);
}

}  // namespace descent_mark_test
}  // namespace holdfast::live
