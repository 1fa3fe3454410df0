// A worker: one thread of a client, doing a workload and recording what it does and believes.
//
// Workloads speak through it: acquire, read, write, release, each recorded as invoke and outcome. It is the
// application around the lock, so it reacts to failures as applications do: an acquire that fails or throws
// is tried again (with a new call, so a new value); a release that throws is logged and forgotten; storage is
// asked until it answers, for nobody may release a lock without knowing what became of the work.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/history/history.h"
#include "harness/stores/storage/storage.h"
#include "locks/lock.h"

namespace holdfast {

// What all workers of a run share.
struct WorkShared {
  History* history = nullptr;
  StorageCalls* storage_calls = nullptr;
  StorageCalls::Service* storage = nullptr;
  ProcessId storage_process{};
  Duration storage_timeout = 1s;
  std::uint32_t sessions = 0;  // acquires so far, over all clients
  std::uint32_t writes = 0;    // so far, over all clients
  bool go = false;             // the first client has done what the others wait for ("twice", "latch")
};

// A hold as its worker knows it.
struct Held {
  std::uint32_t session = 0;
  std::optional<std::int64_t> token;
  bool ok = false;
};

struct ReadResult {
  bool ok = false;  // false: storage refused the token
  std::int64_t value = 0;
  std::int64_t version = 0;
};

class Worker {
 public:
  Worker(WorkShared& shared, Env& env, const StoreClients& stores, Lock* lock, Latch* latch)
      : shared_(shared), caller_{env, stores}, lock_(lock), latch_(latch) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  Env& env() { return caller_.env; }
  WorkShared& shared() { return shared_; }

  // Of every acquire from now on; none: it waits as long as the design does.
  void set_patience(std::optional<Duration> patience) { patience_ = patience; }

  // One call of acquire.
  Task<Held> acquire(LockMode mode);
  // Calls until one is granted.
  Task<Held> acquire_until_granted(LockMode mode);
  Task<> release(Held held, LockMode mode);
  Task<ReadResult> read(Held held);
  // Writes a value computed from what was read, unless the lock knows that the hold is gone. Whether storage
  // accepted it is in its reply and the history.
  Task<bool> write(Held held, std::int64_t value, std::int64_t based_on);
  // How many more times the design makes this thread run the guarded work.
  std::size_t extra_work() const { return lock_->extra_work(caller_); }

  Task<> set_count(std::int64_t count);
  Task<> count_down();
  Task<> await_zero();

 private:
  Task<StorageResponse> ask_storage(StorageRequest request);
  // The token to show: of the newest acquire of this thread's hold, for re-entry may have raised it.
  std::optional<std::int64_t> token_of(const Held& held) const;
  void record(EventType type, Operation operation, const Event& details, std::string_view text = {});

  WorkShared& shared_;
  Caller caller_;
  Lock* lock_;
  Latch* latch_;
  std::optional<Duration> patience_;
  std::uint32_t depth_ = 0;                   // acquires that were granted and not released
  std::optional<std::int64_t> newest_token_;  // of those
};

}  // namespace holdfast
