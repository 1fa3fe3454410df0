// The entries of the single faults, one per file, gathered by the catalog.
#pragma once

#include "faults/fault.h"

namespace holdfast::faults {

FaultEntry gc_pause();
FaultEntry crash();
FaultEntry thread_crash();
FaultEntry crash_restart();
FaultEntry partition();
FaultEntry delay();
FaultEntry reset();
FaultEntry lost_request();
FaultEntry lost_reply();
FaultEntry clock_jump();
FaultEntry clock_drift();
FaultEntry clock_steps();
FaultEntry failover();
FaultEntry server_restart();
FaultEntry replication_lag();

}  // namespace holdfast::faults
