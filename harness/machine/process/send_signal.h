// The one door for signals: no other file of holdfast may send one (harness/lint, "signals").
//
// To the kernel a process of 0 is our own group, -1 is everybody and 1 is the father of all; a variable that
// was never set, or that was decremented once too often, ends a machine. So all of these refuse a process of
// 1 or less, whatever the signal, and say false. They also say false if there is nobody to signal any more.
//
// Safe in a child between fork and exec.
#pragma once

#include <sys/types.h>

namespace holdfast::live {

bool send_signal(pid_t process, int number) noexcept;
// All of the group that `leader` leads or led.
bool send_signal_to_group(pid_t leader, int number) noexcept;
bool send_signal_to_thread(pid_t process, pid_t thread, int number) noexcept;
// By a descriptor of a process (pidfd), which cannot be mistaken for another one's; `process` is its number.
bool send_signal_by_descriptor(int descriptor, pid_t process, int number) noexcept;

}  // namespace holdfast::live
