// What every run is made of, wired together in one place: a kernel, a network, the steps, the servers of the
// lock's store, and storage.
//
// Four use it and differ in who answers for the servers: a Simulation (models, or real programs on virtual
// time), the mirror of a live run (nobody), the client program of a live run and a benchmark (servers at the
// other end of a socket). Reused from run to run.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/kernel/network.h"
#include "harness/stores/storage/storage.h"
#include "harness/stores/store.h"

namespace holdfast {

// Makes servers of a store, once; they are kept for the next run on it.
using ServersMaker =
    std::function<std::unique_ptr<Servers>(const Store& store, const ServersContext& context)>;

struct WorldSetup {
  Strategy* strategy = nullptr;      // answers the run's choices, and outlives it
  std::vector<std::string> clients;  // the names of their processes
  const Store* store = nullptr;
  const ServersPlan* servers = nullptr;
  Latency latency;
  bool reorders = false;  // as in Network::reset
};

class World {
 public:
  explicit World(ServersMaker make);
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World();

  // A new, empty world with the processes of a run: clients first, then servers, then storage.
  // Whoever still has frames in the old one must have ended them.
  void set_up(const WorldSetup& setup);
  // The run is over: ends every thread. What else refers to the world may go then.
  void end();

  Servers& servers() { return *servers_; }
  const Servers& servers() const { return *servers_; }

  // Members are destroyed from the last to the first: what is in flight is let go of before those it belongs
  // to.
  Steps steps;
  Kernel kernel;

 private:
  ServersMaker make_;
  std::map<std::string_view, std::unique_ptr<Servers>> servers_by_store_;  // by id
  Servers* servers_ = nullptr;

 public:
  StorageCalls storage_calls;
  Network network{kernel};
  std::vector<ProcessId> clients;
  ProcessId storage{};
};

}  // namespace holdfast
