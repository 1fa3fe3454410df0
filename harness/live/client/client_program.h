// `holdfast live-client`: one client of a live run, as a process of its own.
//
// Runs the same lock and workload code as `sim`, on real time and real sockets, and speaks the protocol of
// PROTOCOL.md on its standard input and output. Returns when its input ends; the value is its exit code.
#pragma once

namespace holdfast::live {

int run_client_program();

}  // namespace holdfast::live
