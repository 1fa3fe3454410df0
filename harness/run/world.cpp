#include "harness/run/world.h"

#include <utility>

#include "harness/kernel/require.h"

namespace holdfast {

World::World(ServersMaker make) : make_(std::move(make)), storage_calls(kernel, network, steps) {}

World::~World() {
  kernel.stop();
  network.drop_everything();
}

void World::end() {
  if (servers_ != nullptr) {
    servers_->end();
  }
  kernel.stop();
}

void World::set_up(const WorldSetup& setup) {
  require(setup.strategy != nullptr && setup.store != nullptr && setup.servers != nullptr,
          "a world is told who chooses, and what servers it has");
  std::unique_ptr<Servers>& servers = servers_by_store_[setup.store->id()];
  if (servers == nullptr) {
    servers = make_(*setup.store, {kernel, network, steps});
    require(servers != nullptr, "a lock without real servers was refused before it ran in real time");
  }
  servers_ = servers.get();
  kernel.reset(*setup.strategy);
  clients.clear();
  for (const std::string& name : setup.clients) {
    clients.push_back(kernel.add_process(name));
  }
  servers_->add_processes(*setup.servers);
  storage = kernel.add_process("storage");
  steps.reset(kernel.process_count());
  network.reset(setup.latency, setup.reorders);
  servers_->start();
  storage_calls.reset();
}

}  // namespace holdfast
