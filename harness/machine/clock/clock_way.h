// Which way a program's clock can be steered, by what the program is; and whether it worked, by what the
// running process has mapped.
//
// Nothing tells a program that was started the wrong way: it lives in real time, and says nothing. So whoever
// starts one asks clock_way_of() before, and why_not_on_page() after.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "harness/machine/clock/launch.h"

namespace holdfast {

// The program among the words that start one: the first, looked for as live::Child does, or the one that a
// loader is told to start (ServerProgram::command() of a tree).
std::filesystem::path program_in(const std::vector<std::string>& command);

// libc for a program that is linked with libc at its start, and for a script, whose interpreter most likely
// is. vdso for one without a loader (static), and for every Go program: even one that is linked with libc
// asks the vDSO itself. A std::runtime_error of one sentence if it is no program of this machine.
ClockWay clock_way_of(const std::filesystem::path& program);

// Empty, or one sentence that says that this process does not live on this page: it has not mapped it, or
// reads the time in another way.
std::string why_not_on_page(pid_t process, const std::filesystem::path& page, ClockWay way);

}  // namespace holdfast
