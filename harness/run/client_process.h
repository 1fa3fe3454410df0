// A client of a run: a process with its lock, its threads, and their connections.
//
// When the process dies all of that goes; when it restarts, it is made anew and begins its work again.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "harness/kernel/frame_pool.h"
#include "harness/run/world.h"
#include "harness/workload/workload.h"

namespace holdfast {

// What every client needs to come to life; of one run, shared by its clients.
struct ClientSetup {
  World* world = nullptr;
  WorkShared* shared = nullptr;
  const LockEntry* lock = nullptr;
  LockSettings settings;
  Duration command_timeout = 1s;
};

// A thread's clients of all servers that the lock uses.
void connect(StoreClients& stores, const LockEntry& lock, Servers& servers, Env& env,
             Duration command_timeout);

class ClientProcess final : public ProcessListener, public frame_pool::Pooled {
 public:
  // `plans`: one per thread. They and `setup` must outlive the process.
  ClientProcess(const ClientSetup& setup, ProcessId process, std::span<const WorkPlan> plans);
  ~ClientProcess() override = default;

  void start();
  void on_crash() override;
  void on_restart() override;

 private:
  struct ThreadState : frame_pool::Pooled {
    ThreadState(const ClientSetup& setup, ProcessId process, std::uint32_t number, const WorkPlan& plan,
                Lock* lock, Latch* latch);
    WorkPlan plan;
    Env env;
    StoreClients stores;
    Worker worker;
  };

  Lock* make_lock();  // nullptr if the entry is one of a latch
  void make_latch();

  const ClientSetup& setup_;
  ProcessId process_;
  std::span<const WorkPlan> plans_;
  bool is_restarted_ = false;  // then it works at once, whatever its plan says of when it starts
  std::vector<std::unique_ptr<Lock>>
      locks_;  // one for all threads, then those that threads have for themselves
  std::unique_ptr<Latch> latch_;
  std::vector<std::unique_ptr<ThreadState>> threads_;
};

}  // namespace holdfast
