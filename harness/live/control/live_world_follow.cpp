// The real world follows the mirror: what faults have changed there is done to processes, proxies and clocks.
#include <signal.h>

#include <algorithm>

#include "harness/live/control/live_world.h"

namespace holdfast::live {

void LiveWorld::follow_mirror(const Step* step) {
  follow_pauses();
  if (servers != nullptr) {
    follow_primaries();
    follow_replication();
  }
  follow_links(step);
  if (moves_clocks) {
    follow_clocks();
  }
}

void LiveWorld::follow_pauses() {
  for (const std::unique_ptr<Client>& client : clients) {
    const bool is_paused = mirror.is_paused(client->process);
    if (client->program != nullptr && is_paused != client->is_paused) {
      is_paused ? client->program->pause() : client->program->resume();
      client->is_paused = is_paused;
    }
  }
  for (const std::unique_ptr<Node>& node : nodes) {
    const bool is_paused = mirror.is_paused(mirror.nodes[node->number]);
    if (is_paused != node->is_paused) {
      servers->signal(node->number, is_paused ? SIGSTOP : SIGCONT);
      node->is_paused = is_paused;
    }
  }
}

void LiveWorld::follow_primaries() {
  for (std::size_t server = 0; server < mirror.world.servers().count(); ++server) {
    const ProcessId primary = mirror.world.servers().serving(server);
    const auto at = std::find(mirror.nodes.begin(), mirror.nodes.end(), primary);
    const auto node = static_cast<std::size_t>(at - mirror.nodes.begin());
    if (node != servers->serving(server)) {
      servers->promote(server, node);
    }
  }
}

void LiveWorld::follow_links(const Step* step) {
  for (const std::unique_ptr<Client>& client : clients) {
    for (int server = storage_server; server < static_cast<int>(mirror.world.servers().count()); ++server) {
      const ProcessId peer = server_process(server);
      const Network::LinkState there = mirror.world.network.take_state(client->process, peer);
      const Network::LinkState back = mirror.world.network.take_state(peer, client->process);
      for (Door* door : client->doors) {
        if (door->owner().server != server) {
          continue;
        }
        door->link().follow(Direction::to_server, there);
        door->link().follow(Direction::to_client, back);
        if (step == nullptr || step->thread == door->owner().thread) {
          door->link().order_next(Direction::to_server, there);
          door->link().order_next(Direction::to_client, back);
        } else if (there.break_next == Breaking::all_connections) {
          door->reset_connections();  // of another thread, to the same server: it breaks with that of the
                                      // call
        }
      }
    }
  }
}

void LiveWorld::follow_replication() {
  for (std::size_t number = 0; number < mirror.nodes.size(); ++number) {
    const ProcessId primary = mirror.world.servers().serving(servers->server_of(number));
    if (mirror.nodes[number] != primary) {
      servers->follow(number, mirror.world.network.take_state(mirror.nodes[number], primary),
                      mirror.world.network.take_state(primary, mirror.nodes[number]));
    }
  }
}

void LiveWorld::follow_clock(Client& client) {
  client.page->set_offsets(mirror.clock_offset(client.process, ClockKind::wall).count(),
                           mirror.clock_offset(client.process, ClockKind::monotonic).count());
  if (client.program != nullptr) {
    client.launch->after_move(client.program->process());
  }
}

void LiveWorld::follow_clocks() {
  for (const std::unique_ptr<Client>& client : clients) {
    if (client->is_prepared) {  // until then its clock is led astray, to see whether it follows
      follow_clock(*client);
    }
  }
  for (const std::unique_ptr<Node>& node : nodes) {
    const ProcessId process = mirror.nodes[node->number];
    servers->set_clock_offsets(node->number, mirror.clock_offset(process, ClockKind::wall),
                               mirror.clock_offset(process, ClockKind::monotonic));
  }
}

}  // namespace holdfast::live
