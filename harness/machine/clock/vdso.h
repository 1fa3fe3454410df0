// Puts a program that reads the time without libc (Go above all) on a clock page.
//
// Such a program asks the vDSO, which the kernel maps into it. Between its exec and its first instruction,
// the page and some code (vdso_code.h) are mapped into it, and the vDSO's symbols are made to point at that
// code. It works for any x86-64 program, static or dynamic, and lasts until its next exec: what it starts
// itself is in real time, unless started like this too.
//
// Only readings are replaced. A wait with a timeout is the kernel's, in real time; a Go program looks at the
// clock again whenever a wait is interrupted, which wake_timed_waits() does.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>

namespace holdfast {

class TracedProgram;

// For the parent, after a fork whose child calls let_parent_trace() and then exec: waits for the exec and
// returns when the program runs on the page. By the thread that forked. After a failure, a std::runtime_error
// of one sentence, the child is gone and waited for. Returns where in its memory the count of its readings is
// (vdso_code.h).
std::uint64_t put_on_page(pid_t child, const std::filesystem::path& page);

// The same for a program that is stopped before its first instruction, and stays so. `without_random`:
// getrandom() is the kernel's alone, where it can be seen.
std::uint64_t put_on_page(TracedProgram& program, const std::filesystem::path& page, bool without_random);

// After the page was moved: has every thread of a Go program look at the clock again. It sends each of them
// SIGURG, which Go's scheduler uses for itself and everybody else ignores unless they asked for it.
void wake_timed_waits(pid_t program);

}  // namespace holdfast
