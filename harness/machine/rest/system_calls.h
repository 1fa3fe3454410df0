// Numbers of system calls, on x86-64: such as are newer than the headers of some systems that holdfast is
// built on, and those that send signals, which are looked for here and called nowhere.
#pragma once

#include <array>

namespace holdfast::rest {

inline constexpr int call_rseq = 334;
inline constexpr int call_io_uring_setup = 425;
inline constexpr int call_clone3 = 435;
inline constexpr int call_epoll_pwait2 = 441;
inline constexpr int call_futex_waitv = 449;
inline constexpr int call_futex_wait = 455;

// kill, tkill, tgkill, rt_sigqueueinfo, rt_tgsigqueueinfo, pidfd_send_signal.
inline constexpr std::array<long, 6> calls_that_send_signals = {62, 200, 234, 129, 297, 424};

}  // namespace holdfast::rest
