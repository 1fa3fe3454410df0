#include <array>

#include "locks/catalog.h"
#include "locks/local/designs.h"

namespace holdfast {
namespace {

constexpr LockFeatures reentrant_mutex{.reentrant = true,
                                       .blocking = true,
                                       .tries = true,
                                       .timed = true,
                                       .woken = true,
                                       .fair = true,
                                       .owner_checked = true};

constexpr LockEntry local_entries[] = {
    {.id = "local-mutex",
     .summary = "a re-entrant mutex in each process's memory",
     .source = "001:L7, 003:L4",
     .features = reentrant_mutex,
     .needs = {.one_process = true},
     .make = make_local_mutex},
    {.id = "local-mutex-per-instance",
     .summary = "one mutex per object, and an object per thread",
     .source = "003:L2",
     .features = reentrant_mutex,
     .needs = {.one_process = true},
     .make = make_local_mutex_per_instance},
    {.id = "file-lock",
     .summary = "flock on a file of the host",
     .source = "002:L31",
     .features = {.blocking = true, .tries = true, .timed = true, .owner_checked = true},
     .make = make_file_lock},
    {.id = "file-lock-excl",
     .summary = "a lock file made with O_EXCL, unlinked to release",
     .source = "002:L31",
     .features = {.blocking = true, .tries = true, .timed = true},
     .make = make_file_lock_excl},
};

}  // namespace

std::span<const LockFamily> local_families() {
  static const std::array families{LockFamily{"local", local_entries}};
  return families;
}

}  // namespace holdfast
