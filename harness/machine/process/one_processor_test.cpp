// How: the system is asked which processors a thread and a child may use.
#include "harness/machine/process/one_processor.h"

#include <gtest/gtest.h>

#include "harness/machine/process/child.h"

namespace holdfast::live::one_processor_test {

cpu_set_t processors_of(pid_t process) {
  cpu_set_t set;
  EXPECT_EQ(::sched_getaffinity(process, sizeof set, &set), 0);
  return set;
}

TEST(OneProcessor, AThreadStaysOnOneAndIsFreeAgain) {
  const cpu_set_t before = processors_of(0);
  {
    const StaysOnProcessor stays;
    const cpu_set_t meanwhile = processors_of(0);
    EXPECT_EQ(CPU_COUNT(&meanwhile), 1);
    EXPECT_TRUE(CPU_ISSET(static_cast<std::size_t>(::sched_getcpu()), &meanwhile));
  }
  const cpu_set_t after = processors_of(0);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

TEST(OneProcessor, AProgramIsBroughtToUs) {
  ChildOptions options;
  options.arguments = {"sleep", "60"};
  const Child child(options);
  const StaysOnProcessor stays;
  Companion companion;
  companion.bring_here(child.process());
  const cpu_set_t ours = processors_of(0);
  const cpu_set_t its = processors_of(child.process());
  EXPECT_TRUE(CPU_EQUAL(&ours, &its));
}

TEST(OneProcessor, NobodyElseIsMoved) {
  const cpu_set_t before = processors_of(1);
  const StaysOnProcessor stays;
  for (const pid_t process : {-1, 0, 1}) {
    Companion companion;
    companion.bring_here(process);
  }
  const cpu_set_t after = processors_of(1);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

}  // namespace holdfast::live::one_processor_test
