// Small programs under a supervisor.
#include "harness/machine/rest/supervisor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/machine/process/live_error.h"
#include "harness/machine/rest/test_held.h"

namespace holdfast::rest {
namespace supervisor_test {

using namespace test_held;
using testing::HasSubstr;

using SupervisorTest = Held;

TEST_F(SupervisorTest, WaitsAreExactToTheNanosecond) {
  for (const bool one_at_a_time : {true, false}) {
    Supervisor supervisor({.one_at_a_time = one_at_a_time});
    const std::size_t number = start(supervisor, {compiled(directory_, "waits.c")});
    run_to_end(supervisor, number);
    EXPECT_EQ(said(number),
              "nanosleep 1500000001\nclock_nanosleep 1500000001\npoll 1500000000\nppoll 1500000001\n"
              "pselect 1500000001\nepoll 1500000000\nepoll_pwait2 1500000001\nfutex 1500000001\n"
              "condition 1500000001\nsemaphore 1500000001\nfutex_waitv 1500000001\n"
              "ready poll 0\nready pselect 0\nready epoll 0\ncall 0\n");
    std::filesystem::remove(output_of(number));
  }
}

}  // namespace supervisor_test
}  // namespace holdfast::rest
