// The Redis servers of a live run: real ones, started in directories of their own and gone with this object.
//
// A *server* is what a client connects to, a primary with its replicas; a *node* is one of their processes,
// in the order of redis::Cluster::processes, server by server. A replica hears its primary through a proxy,
// so that replication can be delayed and cut. Works on an io_context of one thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/kernel/network.h"
#include "harness/live/control/doors.h"
#include "harness/machine/clock/clock_page.h"
#include "harness/stores/redis/server/redis_server.h"
#include "harness/stores/redis/server/sentinels.h"

namespace holdfast::live {

struct LiveServersOptions {
  std::size_t servers = 0;
  std::size_t replicas = 0;  // of each
  redis::AppendOnly append_only = redis::AppendOnly::never;
  std::filesystem::path directory;
  bool sentinels = false;      // three of them do the failover
  std::filesystem::path shim;  // of the clock pages; empty: clocks are not going to be touched
  ServerProgram program = installed_redis();
};

class LiveServers {
 public:
  // Starts all of them, and waits until replicas have what their primary has. Throws LiveError.
  LiveServers(boost::asio::io_context& context, const LiveServersOptions& options);
  LiveServers(const LiveServers&) = delete;
  LiveServers& operator=(const LiveServers&) = delete;

  // Nothing while nobody is primary.
  std::optional<boost::asio::ip::tcp::endpoint> primary(std::size_t server);
  std::size_t primary_node(std::size_t server) const { return primaries_[server]; }
  std::size_t server_of(std::size_t node) const { return node / (1 + options_.replicas); }
  std::string vendor_and_release() const {
    return nodes_.empty() ? "" : nodes_.front()->redis->vendor_and_release();
  }

  // What a connection to one of them has to say first.
  std::string greeting() const;

  void kill(std::size_t node);
  void start(std::size_t node);
  void signal(std::size_t node, int number) { nodes_[node]->redis->signal(number); }
  void set_clock_offsets(std::size_t node, Duration wall, Duration monotonic);
  // The one with the most of the dead primary's data takes over under the name of `node`: now, or as soon as
  // the Sentinels have seen to it.
  void promote(std::size_t server, std::size_t node);
  // What the links between the replica and its primary do.
  void follow(std::size_t replica, const Network::LinkState& to_primary,
              const Network::LinkState& from_primary);

  // To be called often: looks what the Sentinels are doing. Throws LiveError if a server or a Sentinel has
  // ended that was not told to.
  void look_after();

 private:
  struct Node {
    std::filesystem::path directory;
    std::unique_ptr<ClockPage> page;
    std::unique_ptr<RedisServer> redis;
    std::unique_ptr<Proxy> from_primary;  // of a replica
    Network::LinkState followed[2];
    bool is_replica = false;
    bool should_run = true;
  };

  void add_node(std::size_t number);
  void connect_replica(std::size_t number);
  // Nothing while it does not run.
  static std::optional<boost::asio::ip::tcp::endpoint> endpoint_of(const Node& node);
  std::unique_ptr<Proxy> open_way(std::function<std::optional<boost::asio::ip::tcp::endpoint>()> target);
  void start_sentinels();
  void take_over(std::size_t server, std::size_t node, std::size_t name);
  void wait_for_replicas();
  std::string ask(const Node& node, const redis::Command& command);
  std::int64_t received(const Node& node);

  boost::asio::io_context& context_;
  LiveServersOptions options_;
  std::string password_;  // of this run
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::size_t> primaries_;  // node of each server
  // With Sentinels: one way to each first primary, for its replicas and for them.
  std::vector<std::unique_ptr<Proxy>> ways_;
  std::vector<std::optional<std::size_t>> awaited_;  // the name under which a new primary is to come
  std::unique_ptr<Sentinels> sentinels_;
};

}  // namespace holdfast::live
