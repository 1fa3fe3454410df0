#include "harness/stores/redis/server/bench/redis_bench_servers.h"

#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <utility>

#include "harness/kernel/require.h"
#include "harness/machine/process/live_error.h"
#include "harness/machine/process/secret.h"
#include "harness/stores/redis/client.h"
#include "harness/stores/redis/server/info.h"

namespace holdfast::live {
namespace {

constexpr int most_looks_at_a_replica = 10'000;  // of a millisecond each

// A subcommand is called "config|get"; its container is not counted.
bool is_housekeeping(std::string_view command) {
  for (const std::string_view ours :
       {"info", "flushall", "auth", "ping", "replconf", "psync", "config|", "client|"}) {
    if (ours.ends_with('|') ? command.starts_with(ours) : command == ours) {
      return true;
    }
  }
  return false;
}

double seconds_in(std::string_view info, std::string_view name) {
  return std::strtod(std::string(info_field(info, name)).c_str(), nullptr);
}

// Of a line such as "cmdstat_set:calls=12,usec=…".
std::uint64_t calls_in(std::string_view line) {
  constexpr std::string_view name = "calls=";
  const std::size_t at = line.find(name);
  return at == std::string_view::npos
             ? 0
             : std::strtoull(std::string(line.substr(at + name.size(), 32)).c_str(), nullptr, 10);
}

}  // namespace

std::uint64_t commands_in(std::string_view commandstats) {
  constexpr std::string_view prefix = "cmdstat_";
  std::uint64_t sum = 0;
  while (!commandstats.empty()) {
    const std::size_t end = commandstats.find('\n');
    const std::string_view line = commandstats.substr(0, end);
    commandstats = end == std::string_view::npos ? std::string_view() : commandstats.substr(end + 1);
    if (line.starts_with(prefix)) {
      const std::string_view name = line.substr(prefix.size(), line.find(':') - prefix.size());
      sum += is_housekeeping(name) ? 0 : calls_in(line);
    }
  }
  return sum;
}

RedisBenchServers::RedisBenchServers(const ServersPlan& plan, ServerProgram program)
    : program_(std::move(program)), password_(plan.replicas > 0 ? new_secret() : "") {
  require(plan.servers > 0, "what is measured has a server");
  for (std::size_t primary = 0; primary < plan.servers; ++primary) {
    const int port = add_node(plan.replicas > 0).server->port();
    for (std::size_t replica = 0; replica < plan.replicas; ++replica) {
      add_replica(port);
    }
  }
  yardstick_ =
      std::make_unique<RedisBenchmark>(RedisBenchmarkOptions{.socket = nodes_.front().server->socket(),
                                                             .directory = directory_.path(),
                                                             .has_password = !password_.empty()});
}

RedisBenchServers::Node& RedisBenchServers::add_node(bool listens) {
  RedisServerOptions options;
  options.directory = directory_.path() / std::to_string(nodes_.size());
  options.listens = listens;
  options.password = password_;
  options.program = program_;
  options.settings = {"repl-diskless-sync-delay 0"};  // a replica would be kept waiting for others, for 5 s
  std::filesystem::create_directory(options.directory);
  Node node;
  node.server = std::make_unique<RedisServer>(std::move(options));
  node.connection = std::make_unique<Connection>(node.server->socket(), password_);
  nodes_.push_back(std::move(node));
  return nodes_.back();
}

void RedisBenchServers::add_replica(int primary_port) {
  Node& node = add_node(false);
  node.is_replica = true;
  node.connection->execute(redis::make_command("REPLICAOF", "127.0.0.1", primary_port));
  for (int looks = 0; looks < most_looks_at_a_replica; ++looks) {
    const redis::Reply info = node.connection->execute(redis::make_command("INFO", "replication"));
    if (info_field(info.text, "master_link_status") == "up") {
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  throw LiveError("a replica does not get in touch with its primary: " +
                  last_lines(node.server->directory() / "log"));
}

Reach RedisBenchServers::reach(std::size_t threads) const {
  std::vector<Endpoint> servers;
  for (const Node& node : nodes_) {
    if (!node.is_replica) {
      servers.push_back({.host = node.server->socket()});
    }
  }
  return {.endpoints = std::vector(threads, servers), .password = password_};
}

Task<std::string> RedisBenchServers::greet(StoreClient& client) {
  const redis::Answer answer = co_await static_cast<redis::Client&>(client).command("PING");
  co_return answer.threw() ? answer.problem() : std::string();
}

ServerUsage RedisBenchServers::usage() {
  ServerUsage usage;
  for (const Node& node : nodes_) {
    const std::string cpu = node.connection->execute(redis::make_command("INFO", "cpu")).text;
    usage.cpu_seconds += seconds_in(cpu, "used_cpu_user") + seconds_in(cpu, "used_cpu_sys");
    if (!node.is_replica) {
      usage.requests +=
          commands_in(node.connection->execute(redis::make_command("INFO", "commandstats")).text);
    }
  }
  return usage;
}

void RedisBenchServers::flush() {
  for (const Node& node : nodes_) {
    if (!node.is_replica) {
      node.connection->execute(redis::make_command("FLUSHALL"));
    }
  }
}

}  // namespace holdfast::live
