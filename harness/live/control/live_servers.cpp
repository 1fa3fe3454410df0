#include "harness/live/control/live_servers.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <utility>

#include "harness/machine/clock/launch.h"
#include "harness/machine/process/live_error.h"
#include "harness/machine/process/secret.h"
#include "harness/stores/redis/server/connection.h"
#include "harness/stores/redis/server/info.h"
#include "harness/stores/redis/wire/resp.h"

namespace holdfast::live {
namespace {

using boost::asio::ip::tcp;

constexpr int most_looks_at_replicas = 5000;  // of a millisecond each

}  // namespace

LiveServers::LiveServers(boost::asio::io_context& context, const LiveServersOptions& options)
    : context_(context), options_(options), password_(new_secret()) {
  const std::size_t members = 1 + options.replicas;
  for (std::size_t number = 0; number < options.servers * members; ++number) {
    add_node(number);
    if (number % members == 0) {
      primaries_.push_back(number);
    }
  }
  awaited_.resize(primaries_.size());
  for (std::size_t server = 0; options_.sentinels && server < primaries_.size(); ++server) {
    // It leads to this node and never to another: Sentinels take an address for one server.
    const Node* const first = nodes_[primaries_[server]].get();
    ways_.push_back(open_way([first] { return endpoint_of(*first); }));
  }
  for (std::size_t number = 0; number < nodes_.size(); ++number) {
    if (number % members != 0) {
      connect_replica(number);
    }
  }
  wait_for_replicas();
  if (options_.sentinels) {
    start_sentinels();
  }
}

void LiveServers::add_node(std::size_t number) {
  auto node = std::make_unique<Node>();
  node->directory = options_.directory / fmt::format("redis-{}", number + 1);
  std::filesystem::create_directories(node->directory);
  RedisServerOptions redis;
  redis.directory = node->directory;
  redis.append_only = options_.append_only;
  redis.listens = true;
  redis.program = options_.program;
  redis.password = password_;
  redis.settings = {"repl-diskless-sync yes", "repl-diskless-sync-delay 0", "hz 100"};
  if (!options_.shim.empty()) {
    node->page = std::make_unique<ClockPage>(node->directory / "clock");
    redis.environment = ClockLaunch(node->page->file(), options_.shim, ClockWay::libc).environment();
  }
  node->redis = std::make_unique<RedisServer>(std::move(redis));
  nodes_.push_back(std::move(node));
}

std::unique_ptr<Proxy> LiveServers::open_way(std::function<std::optional<tcp::endpoint>()> target) {
  return std::make_unique<Proxy>(
      context_, ProxyOptions{.framing = &any_bytes,
                             .target = std::move(target),
                             .greeting = {},
                             .watch = {},
                             .complain = [](const std::string& sentence) { throw LiveError(sentence); }});
}

void LiveServers::connect_replica(std::size_t number) {
  Node& node = *nodes_[number];
  node.is_replica = true;
  if (!options_.sentinels) {
    node.from_primary = open_way([this, number] { return primary(server_of(number)); });
  }
  const Proxy& way = options_.sentinels ? *ways_[server_of(number)] : *node.from_primary;
  ask(node, redis::make_command("REPLICAOF", "127.0.0.1", way.port()));
}

void LiveServers::start_sentinels() {
  std::vector<int> ports;
  ports.reserve(ways_.size());
  for (const std::unique_ptr<Proxy>& way : ways_) {
    ports.push_back(way->port());
  }
  sentinels_ = std::make_unique<Sentinels>(options_.program, options_.directory, ports, password_);
  for (std::size_t server = 0; server < primaries_.size(); ++server) {
    for (int tries = 0; !sentinels_->are_ready(server, options_.replicas); ++tries) {
      if (tries == most_looks_at_replicas) {
        throw LiveError("the Sentinels do not get in touch with each other and the replicas.");
      }
      context_.run_for(std::chrono::milliseconds(5));
    }
  }
}

void LiveServers::wait_for_replicas() {
  for (const std::unique_ptr<Node>& node : nodes_) {
    for (int tries = 0; node->is_replica; ++tries) {
      context_.poll();  // the proxies have to work meanwhile
      const std::string info = ask(*node, redis::make_command("INFO", "replication"));
      if (info_field(info, "master_link_status") == "up") {
        break;
      }
      if (tries == most_looks_at_replicas) {
        throw LiveError("a replica does not get in touch with its primary: " +
                        last_lines(node->directory / "log"));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

std::string LiveServers::ask(const Node& node, const redis::Command& command) {
  return Connection(*node.redis).execute(command).text;
}

std::string LiveServers::greeting() const {
  return to_resp(redis::make_command("AUTH", password_));
}

std::int64_t LiveServers::received(const Node& node) {
  return info_number(ask(node, redis::make_command("INFO", "replication")), "slave_repl_offset");
}

std::optional<tcp::endpoint> LiveServers::endpoint_of(const Node& node) {
  if (!node.should_run) {
    return std::nullopt;
  }
  return tcp::endpoint(boost::asio::ip::address_v4::loopback(),
                       static_cast<std::uint16_t>(node.redis->port()));
}

std::optional<tcp::endpoint> LiveServers::primary(std::size_t server) {
  return endpoint_of(*nodes_[primaries_[server]]);
}

void LiveServers::kill(std::size_t node) {
  nodes_[node]->should_run = false;
  nodes_[node]->redis->kill();
}

void LiveServers::start(std::size_t node) {
  nodes_[node]->redis->start();
  nodes_[node]->should_run = true;
}

void LiveServers::set_clock_offsets(std::size_t node, Duration wall, Duration monotonic) {
  nodes_[node]->page->set_offsets(wall.count(), monotonic.count());
}

void LiveServers::promote(std::size_t server, std::size_t node) {
  if (options_.sentinels) {
    awaited_[server] = node;
    return;
  }
  std::size_t best = node;
  for (std::size_t other = 0; other < nodes_.size(); ++other) {
    const bool is_candidate = server_of(other) == server && nodes_[other]->should_run;
    if (is_candidate && received(*nodes_[other]) > received(*nodes_[best])) {
      best = other;
    }
  }
  ask(*nodes_[best], redis::make_command("REPLICAOF", "NO", "ONE"));
  take_over(server, best, node);
}

void LiveServers::take_over(std::size_t server, std::size_t node, std::size_t name) {
  std::swap(nodes_[node], nodes_[name]);
  primaries_[server] = name;
}

void LiveServers::look_after() {
  for (const std::unique_ptr<Node>& node : nodes_) {
    if (node->should_run && !node->redis->is_running()) {
      throw LiveError(node->redis->why_it_ended(" in the middle of the run"));
    }
  }
  if (sentinels_ != nullptr) {
    sentinels_->look_after();
  }
  for (std::size_t server = 0; server < awaited_.size(); ++server) {
    const std::optional<int> port = awaited_[server] ? sentinels_->primary_port(server) : std::nullopt;
    for (std::size_t node = 0; port && awaited_[server] && node < nodes_.size(); ++node) {
      if (nodes_[node]->should_run && nodes_[node]->redis->port() == *port) {
        take_over(server, node, *std::exchange(awaited_[server], std::nullopt));
      }
    }
  }
}

void LiveServers::follow(std::size_t replica, const Network::LinkState& to_primary,
                         const Network::LinkState& from_primary) {
  Node& node = *nodes_[replica];
  // The way that Sentinels share with the replicas does what the first replica's links do.
  const bool is_first = replica % (1 + options_.replicas) == 1;
  Proxy* const shared = options_.sentinels && is_first ? ways_[server_of(replica)].get() : nullptr;
  Proxy* const way = options_.sentinels ? shared : node.from_primary.get();
  if (way == nullptr) {
    return;
  }
  live::follow(*way, Direction::to_server, node.followed[0], to_primary);
  live::follow(*way, Direction::to_client, node.followed[1], from_primary);
  node.followed[0] = to_primary;
  node.followed[1] = from_primary;
}

}  // namespace holdfast::live
