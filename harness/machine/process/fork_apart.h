// A fork that outlives us, to clean up behind us.
#pragma once

#include <sys/types.h>

namespace holdfast::live {

// As fork(); but when it returns, what ends a group of processes (Ctrl-C on a terminal, `timeout`, an init
// system that stops a service) does not reach the child any more: it has a session of its own, and does not
// mind being asked to end. There is no moment at which we are told to end, and it with us.
pid_t fork_apart();

}  // namespace holdfast::live
