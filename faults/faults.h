// The entries of the single faults, one per file, gathered by the catalog.
#pragma once

#include <array>

#include "faults/fault.h"

namespace holdfast::faults {

// Where a fault of a client makes a difference: between two actions of its own, and while it waits for a
// reply. (Striking when the request arrives, or when the reply does, only repeats one of these.)
inline constexpr std::array client_phases{Phase::point, Phase::sending, Phase::applied};
inline constexpr std::array message_phases{Phase::sending, Phase::applied};
inline constexpr std::array reply_phases{Phase::applied};
inline constexpr std::array server_phases{Phase::arrived, Phase::applied};
inline constexpr std::array any_phases{Phase::point, Phase::sending, Phase::arrived, Phase::applied};

FaultEntry gc_pause();
FaultEntry crash();
FaultEntry crash_restart();
FaultEntry partition();
FaultEntry delay();
FaultEntry reset();
FaultEntry lost_reply();
FaultEntry clock_jump();
FaultEntry clock_drift();
FaultEntry clock_steps();
FaultEntry failover();
FaultEntry server_restart();
FaultEntry replication_lag();

}  // namespace holdfast::faults
