// Numbers of system calls that are newer than the headers of some systems that holdfast is built on. x86-64.
#pragma once

namespace holdfast::rest {

inline constexpr int call_rseq = 334;
inline constexpr int call_io_uring_setup = 425;
inline constexpr int call_clone3 = 435;
inline constexpr int call_epoll_pwait2 = 441;
inline constexpr int call_futex_waitv = 449;
inline constexpr int call_futex_wait = 455;

}  // namespace holdfast::rest
