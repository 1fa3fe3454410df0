// The catalog: every lock holdfast knows, what it claims to be, and how to make one.
//
// Each store has its own list (locks/redis/catalog.cpp, locks/local/catalog.cpp); this puts them together.
// Ids are what users type; they never change meaning.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "locks/lock.h"
#include "locks/mutation.h"

namespace holdfast {

enum class LockKind : std::uint8_t { mutex, read_write, semaphore, latch };

// What a design claims (001:L15–27, 000:L4–8, 002:L26–29); the checks find out.
struct LockFeatures {
  bool reentrant = false;
  bool blocking = false;       // acquire waits by itself (spinning counts)
  bool tries = false;          // a single attempt can be made
  bool timed = false;          // acquire can give up after a time
  bool woken = false;          // who waits is told of a release, instead of asking again and again
  bool fair = false;           // first come, first served
  bool renews = false;         // extends its lease while held
  bool owner_checked = false;  // refuses a release by who does not hold it
  bool token = false;          // hands out a fencing token
};

// What the design needs to run on.
struct LockNeeds {
  std::string_view store = "local";  // the id of a Store
  std::size_t servers = 0;           // of it, independent of each other
  std::size_t replicas = 0;          // of each, at least
  bool one_process = false;          // only means anything among threads of one process
  // Below this lease it is another lock: it counts in whole seconds, or allows a second for clocks that
  // differ.
  Duration least_ttl{0};
};

struct LockEntry {
  std::string_view id;
  std::string_view summary;  // one line
  std::string_view source;   // "002:L213", or "beyond the sources"
  LockKind kind = LockKind::mutex;
  LockFeatures features;
  LockNeeds needs = {};
  Duration ttl{0};                              // the lease it runs with by default; zero if it never expires
  Duration (*reserve)(Duration ttl) = nullptr;  // of a lease, set aside for clocks that run unevenly; none: 0
  std::unique_ptr<Lock> (*make)(LockSettings settings) = nullptr;
  std::unique_ptr<Latch> (*make_latch)(LockSettings settings) = nullptr;  // kind latch only
  const LockMutation* mutation = nullptr;  // of one that was made wrong on purpose (harness/mutate)
};

// Locks that are listed together.
struct LockFamily {
  std::string_view title;
  std::span<const LockEntry> locks;
};
// In the order of the catalog.
const std::vector<LockFamily>& lock_families();

// All of them, in the order of the catalog. locks/lookup finds one by its id.
const std::vector<LockEntry>& all_locks();

}  // namespace holdfast
