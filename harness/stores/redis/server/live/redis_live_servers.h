// The Redis servers of a live run: real ones, started in directories of their own and gone with this object.
//
// A server is a primary with its replicas. A replica hears its primary through a proxy, so that replication
// can be delayed and cut.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/clock/clock_page.h"
#include "harness/machine/proxy/link_follower.h"
#include "harness/stores/live_servers.h"
#include "harness/stores/redis/server/live/sentinels.h"
#include "harness/stores/redis/server/redis_server.h"
#include "harness/stores/redis/topology.h"

namespace holdfast::live {

class RedisLiveServers final : public LiveServers {
 public:
  // Starts all of them, and waits until replicas have what their primary has. Three Sentinels do the failover
  // if it is to be done without us. Throws LiveError.
  explicit RedisLiveServers(const LiveServersSetup& setup);

  std::string name() const override;
  std::optional<boost::asio::ip::tcp::endpoint> target(std::size_t server) override;
  std::unique_ptr<Wire> make_wire() override;

  std::size_t serving(std::size_t server) const override { return primaries_.at(server); }
  std::size_t server_of(std::size_t node) const override { return node / (1 + topology_.replicas); }
  void kill(std::size_t node) override;
  void start(std::size_t node) override;
  void signal(std::size_t node, int number) override;
  void set_clock_offsets(std::size_t node, Duration wall, Duration monotonic) override;
  // The one with the most of the dead primary's data takes over.
  void promote(std::size_t server, std::size_t node) override;
  void follow(std::size_t replica, const Network::LinkState& to_primary,
              const Network::LinkState& from_primary) override;
  void look_after() override;
  void look_at_the_end() override;

 private:
  // On which replication passes.
  struct Way {
    Way(boost::asio::io_context& context, ProxyOptions options)
        : proxy(context, std::move(options)), link(proxy) {}
    Proxy proxy;
    LinkFollower link;
  };
  struct Node {
    std::filesystem::path directory;
    std::unique_ptr<ClockPage> page;
    std::unique_ptr<RedisServer> redis;
    std::unique_ptr<Way> from_primary;  // of a replica
    bool is_replica = false;
    bool should_run = true;
    bool should_stand = false;                                          // a fault has paused it
    std::optional<std::chrono::steady_clock::time_point> stands_since;  // though it should not
  };

  void add_node(std::size_t number);
  void connect_replica(std::size_t number);
  // Nothing while it does not run.
  static std::optional<boost::asio::ip::tcp::endpoint> endpoint_of(const Node& node);
  std::unique_ptr<Way> open_way(std::function<std::optional<boost::asio::ip::tcp::endpoint>()> target);
  void start_sentinels();
  // Throws LiveError if it has stood still for so long, and no fault told it to.
  static void look_whether_it_goes_on(Node& node, Duration patience);
  void take_over(std::size_t server, std::size_t node, std::size_t name);
  void wait_for_replicas();
  std::string ask(const Node& node, const redis::Command& command);
  std::int64_t received(const Node& node);

  boost::asio::io_context& context_;
  redis::Topology topology_;
  std::filesystem::path directory_;
  bool moves_clocks_;
  ServerProgram program_;
  bool has_sentinels_;
  Duration patience_with_stopped_;
  std::string password_;  // of this run
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::size_t> primaries_;  // node of each server
  // With Sentinels: one way to each first primary, for its replicas and for them.
  std::vector<std::unique_ptr<Way>> ways_;
  std::vector<std::optional<std::size_t>> awaited_;  // the name under which a new primary is to come
  std::unique_ptr<Sentinels> sentinels_;
};

}  // namespace holdfast::live
