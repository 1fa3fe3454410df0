// Marks: interesting states that runs should sometimes come to.
//
// Locks, faults and models say when they are there (Kernel::mark, Env::mark). A mark changes nothing in a
// run; a campaign that never reached one has not looked where it claims to have looked. (The "sometimes
// assertions" of deterministic simulators.)
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace holdfast {

enum class Mark : std::uint8_t {
  lease_ran_out,          // model: a key with a lease was found expired; lock: the time in a value was over
  release_found_nothing,  // workload: what was to be released was gone or another's
  renewal_too_late,       // lock: a renewal found the lock gone or another's
  renewed,                // lock: a renewal was in time
  minority_granted,       // lock: some servers granted it, but not enough
  majority_too_late,      // lock: enough servers granted it, but too late
  reply_lost,             // fault: a request was executed and its reply lost
  message_overtaken,      // network: a message was overtaken
  woken_by_message,       // lock: a waiter was woken by a published message
  replica_lacked_writes,  // fault: a replica was promoted that lacked writes
  data_lost_at_restart,   // fault: a server came back without what it knew
  replicas_too_slow,      // lock: WAIT returned with too few replicas
  request_lost,           // fault: a request was lost before it was executed
};

struct MarkEntry {
  Mark mark{};
  std::string_view text;
};

inline constexpr std::array all_marks{
    MarkEntry{Mark::lease_ran_out, "a lease ran out and was found expired"},
    MarkEntry{Mark::release_found_nothing, "a release found the lock gone or another's"},
    MarkEntry{Mark::renewal_too_late, "a renewal found the lock gone or another's"},
    MarkEntry{Mark::renewed, "a lease was renewed in time"},
    MarkEntry{Mark::minority_granted, "a minority of servers granted the lock"},
    MarkEntry{Mark::majority_too_late, "a majority granted the lock, but too late"},
    MarkEntry{Mark::reply_lost, "a reply was lost after its request was executed"},
    MarkEntry{Mark::request_lost, "a request was lost before it was executed"},
    MarkEntry{Mark::message_overtaken, "a message was overtaken by another"},
    MarkEntry{Mark::woken_by_message, "a waiter was woken by a published message"},
    MarkEntry{Mark::replica_lacked_writes, "a replica was promoted that lacked writes"},
    MarkEntry{Mark::data_lost_at_restart, "a server came back without what it knew"},
    MarkEntry{Mark::replicas_too_slow, "too few replicas acknowledged in time"},
};

constexpr std::uint64_t bit_of(Mark mark) {
  return std::uint64_t{1} << static_cast<std::uint32_t>(mark);
}

}  // namespace holdfast
