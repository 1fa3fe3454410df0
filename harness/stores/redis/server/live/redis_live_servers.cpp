#include "harness/stores/redis/server/live/redis_live_servers.h"

#include <fmt/format.h>
#include <signal.h>

#include <chrono>
#include <thread>
#include <utility>

#include "harness/kernel/require.h"
#include "harness/machine/process/live_error.h"
#include "harness/machine/process/secret.h"
#include "harness/stores/redis/client.h"
#include "harness/stores/redis/server/connection.h"
#include "harness/stores/redis/server/info.h"
#include "harness/stores/redis/wire/redis_wire.h"

namespace holdfast::live {
namespace {

using boost::asio::ip::tcp;

constexpr int most_looks_at_replicas = 5000;  // of a millisecond each

}  // namespace

RedisLiveServers::RedisLiveServers(const LiveServersSetup& setup)
    : context_(setup.context),
      topology_(redis::topology_of(setup.plan)),
      directory_(setup.directory),
      moves_clocks_(setup.moves_clocks),
      program_(program_for(setup.programs, redis::Client::store_id, redis_program_names().front())),
      has_sentinels_(setup.fails_over_by_itself),
      patience_with_stopped_(setup.patience_with_stopped),
      password_(new_secret()) {
  const std::size_t members = 1 + topology_.replicas;
  for (std::size_t number = 0; number < topology_.servers * members; ++number) {
    add_node(number);
    if (number % members == 0) {
      primaries_.push_back(number);
    }
  }
  awaited_.resize(primaries_.size());
  for (std::size_t server = 0; has_sentinels_ && server < primaries_.size(); ++server) {
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
  if (has_sentinels_) {
    start_sentinels();
  }
}

void RedisLiveServers::add_node(std::size_t number) {
  auto node = std::make_unique<Node>();
  node->directory = directory_ / fmt::format("redis-{}", number + 1);
  std::filesystem::create_directories(node->directory);
  RedisServerOptions redis;
  redis.directory = node->directory;
  redis.append_only = topology_.append_only;
  redis.listens = true;
  redis.program = program_;
  redis.password = password_;
  redis.settings = {"repl-diskless-sync yes", "repl-diskless-sync-delay 0", "hz 100"};
  if (moves_clocks_) {
    node->page = std::make_unique<ClockPage>(node->directory / "clock");
    redis.clock = node->page.get();
  }
  node->redis = std::make_unique<RedisServer>(std::move(redis));
  nodes_.push_back(std::move(node));
}

std::unique_ptr<RedisLiveServers::Way> RedisLiveServers::open_way(
    std::function<std::optional<tcp::endpoint>()> target) {
  return std::make_unique<Way>(
      context_, ProxyOptions{.make_wire = [] { return std::make_unique<AnyBytes>(); },
                             .target = std::move(target),
                             .watch = {},
                             .complain = [](const std::string& sentence) { throw LiveError(sentence); }});
}

void RedisLiveServers::connect_replica(std::size_t number) {
  Node& node = *nodes_[number];
  node.is_replica = true;
  if (!has_sentinels_) {
    node.from_primary = open_way([this, number] { return target(server_of(number)); });
  }
  const Way& way = has_sentinels_ ? *ways_[server_of(number)] : *node.from_primary;
  ask(node, redis::make_command("REPLICAOF", "127.0.0.1", way.proxy.port()));
}

void RedisLiveServers::start_sentinels() {
  std::vector<int> ports;
  ports.reserve(ways_.size());
  for (const std::unique_ptr<Way>& way : ways_) {
    ports.push_back(way->proxy.port());
  }
  sentinels_ = std::make_unique<Sentinels>(program_, directory_, ports, password_);
  for (std::size_t server = 0; server < primaries_.size(); ++server) {
    for (int tries = 0; !sentinels_->are_ready(server, topology_.replicas); ++tries) {
      if (tries == most_looks_at_replicas) {
        throw LiveError("the Sentinels do not get in touch with each other and the replicas.");
      }
      context_.run_for(std::chrono::milliseconds(5));
    }
  }
}

void RedisLiveServers::wait_for_replicas() {
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

std::string RedisLiveServers::ask(const Node& node, const redis::Command& command) {
  return Connection(*node.redis).execute(command).text;
}

std::int64_t RedisLiveServers::received(const Node& node) {
  return info_number(ask(node, redis::make_command("INFO", "replication")), "slave_repl_offset");
}

std::optional<tcp::endpoint> RedisLiveServers::endpoint_of(const Node& node) {
  if (!node.should_run) {
    return std::nullopt;
  }
  return tcp::endpoint(boost::asio::ip::address_v4::loopback(),
                       static_cast<std::uint16_t>(node.redis->port()));
}

std::string RedisLiveServers::name() const {
  return nodes_.empty() ? "" : nodes_.front()->redis->vendor_and_release();
}

std::optional<tcp::endpoint> RedisLiveServers::target(std::size_t server) {
  return endpoint_of(*nodes_[primaries_.at(server)]);
}

std::unique_ptr<Wire> RedisLiveServers::make_wire() {
  return std::make_unique<RedisWire>(RedisWireOptions{.password = password_});
}

void RedisLiveServers::signal(std::size_t node, int number) {
  nodes_.at(node)->redis->signal(number);
  nodes_[node]->should_stand = number == SIGSTOP || (nodes_[node]->should_stand && number != SIGCONT);
}

void RedisLiveServers::kill(std::size_t node) {
  nodes_.at(node)->should_run = false;
  nodes_[node]->should_stand = false;
  nodes_[node]->redis->kill();
}

void RedisLiveServers::start(std::size_t node) {
  nodes_.at(node)->redis->start();
  nodes_[node]->should_run = true;
}

void RedisLiveServers::set_clock_offsets(std::size_t node, Duration wall, Duration monotonic) {
  require(nodes_.at(node)->page != nullptr, "only clocks that are going to be touched are touched");
  nodes_[node]->page->set_offsets(wall.count(), monotonic.count());
}

void RedisLiveServers::promote(std::size_t server, std::size_t node) {
  if (has_sentinels_) {
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

void RedisLiveServers::take_over(std::size_t server, std::size_t node, std::size_t name) {
  std::swap(nodes_[node], nodes_[name]);
  primaries_[server] = name;
}

// Its clients would try again and again, until a limit of time that may be hours away.
void RedisLiveServers::look_whether_it_goes_on(Node& node, Duration patience) {
  if (!node.should_run || node.should_stand || !node.redis->is_stopped()) {
    node.stands_since.reset();
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  node.stands_since = node.stands_since.value_or(now);
  if (now - *node.stands_since >= patience) {
    throw LiveError(fmt::format("{} (process {}) was stopped by somebody else, and has not gone on for {} s.",
                                node.redis->program_name(), node.redis->process(),
                                (now - *node.stands_since) / Duration(1s)));
  }
}

void RedisLiveServers::look_at_the_end() {
  look_after();
  for (const std::unique_ptr<Node>& node : nodes_) {
    look_whether_it_goes_on(*node, Duration::zero());
  }
}

void RedisLiveServers::look_after() {
  for (const std::unique_ptr<Node>& node : nodes_) {
    if (node->should_run && !node->redis->is_running()) {
      throw LiveError(node->redis->why_it_ended(" in the middle of the run"));
    }
    look_whether_it_goes_on(*node, patience_with_stopped_);
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

void RedisLiveServers::follow(std::size_t replica, const Network::LinkState& to_primary,
                              const Network::LinkState& from_primary) {
  const Node& node = *nodes_[replica];
  // The way that Sentinels share with the replicas does what the first replica's links do.
  const bool is_first = replica % (1 + topology_.replicas) == 1;
  Way* const shared = has_sentinels_ && is_first ? ways_[server_of(replica)].get() : nullptr;
  Way* const way = has_sentinels_ ? shared : node.from_primary.get();
  if (way != nullptr) {
    way->link.follow(Direction::to_server, to_primary);
    way->link.follow(Direction::to_client, from_primary);
  }
}

}  // namespace holdfast::live
