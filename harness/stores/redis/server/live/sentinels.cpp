#include "harness/stores/redis/server/live/sentinels.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <fstream>
#include <map>
#include <thread>
#include <utility>

#include "harness/machine/process/live_error.h"
#include "harness/stores/redis/server/connection.h"

namespace holdfast::live {
namespace {

constexpr std::size_t sentinel_count = 3;
constexpr std::size_t sentinel_quorum = 2;
constexpr int most_looks_at_sentinels = 5000;  // of a millisecond each

std::string monitored_name(std::size_t server) {
  return fmt::format("holdfast-{}", server + 1);
}

}  // namespace

Sentinels::Sentinels(ServerProgram program, const std::filesystem::path& directory,
                     const std::vector<int>& ports, std::string password)
    : program_(std::move(program)), password_(std::move(password)) {
  for (std::size_t number = 1; number <= sentinel_count; ++number) {
    start(directory / fmt::format("sentinel-{}", number), ports);
  }
}

void Sentinels::write_configuration(const Sentinel& sentinel, const std::vector<int>& ports) const {
  std::filesystem::create_directories(sentinel.directory);
  std::ofstream file(sentinel.directory / "sentinel.conf");
  file << "bind 127.0.0.1\nport " << sentinel.port->number() << "\nunixsocket " << socket_of(sentinel)
       << "\nunixsocketperm 700\ndir " << sentinel.directory.string() << "\nlogfile \"\"\n";
  file << "requirepass " << password_ << "\nsentinel sentinel-pass " << password_ << "\n";
  for (std::size_t server = 0; server < ports.size(); ++server) {
    const std::string name = monitored_name(server);
    file << "sentinel monitor " << name << " 127.0.0.1 " << ports[server] << " " << sentinel_quorum << "\n"
         << "sentinel down-after-milliseconds " << name << " 500\n"
         << "sentinel failover-timeout " << name << " 5000\n"
         << "sentinel parallel-syncs " << name << " 4\n"
         << "sentinel auth-pass " << name << " " << password_ << "\n";
  }
  if (!file.flush()) {
    throw LiveError(fmt::format("{} cannot be written: is the disk full?",
                                (sentinel.directory / "sentinel.conf").string()));
  }
}

void Sentinels::start(const std::filesystem::path& directory, const std::vector<int>& ports) {
  Sentinel sentinel{directory, std::make_unique<ReservedPort>(), nullptr};
  write_configuration(sentinel, ports);
  ChildOptions child;
  child.arguments = program_.command();
  child.arguments.push_back((directory / "sentinel.conf").string());
  child.arguments.emplace_back("--sentinel");
  child.directory = directory;
  child.output = directory / "log";
  sentinel.child = std::make_unique<Child>(child);
  for (int tries = 0; !std::filesystem::exists(directory / "sock"); ++tries) {
    if (tries == most_looks_at_sentinels || !sentinel.child->is_running()) {
      throw LiveError("a Sentinel does not come up: " + last_lines(directory / "log", 1));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  sentinels_.push_back(std::move(sentinel));
}

redis::Reply Sentinels::ask(const Sentinel& sentinel, const redis::Command& command) {
  return Connection(socket_of(sentinel), password_).execute(command);
}

void Sentinels::look_after() {
  for (const Sentinel& sentinel : sentinels_) {
    if (!sentinel.child->is_running()) {
      throw LiveError(fmt::format("a Sentinel ended with {} in the middle of the run: {}",
                                  sentinel.child->ending(), last_lines(sentinel.directory / "log", 1)));
    }
  }
}

bool Sentinels::are_ready(std::size_t server, std::size_t replicas) {
  for (const Sentinel& sentinel : sentinels_) {
    const auto known = [&](const char* what) {
      return ask(sentinel, redis::make_command("SENTINEL", what, monitored_name(server))).elements.size();
    };
    if (known("REPLICAS") < replicas || known("SENTINELS") < sentinel_count - 1) {
      return false;
    }
  }
  return true;
}

std::optional<int> Sentinels::primary_port(std::size_t server) {
  std::map<int, std::size_t> votes;
  for (const Sentinel& sentinel : sentinels_) {
    const redis::Reply reply =
        ask(sentinel, redis::make_command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", monitored_name(server)));
    int port = 0;
    if (reply.elements.size() == 2) {
      const std::string& digits = reply.elements[1].text;
      std::from_chars(digits.data(), digits.data() + digits.size(), port);
    }
    if (++votes[port] >= sentinel_quorum && port != 0) {
      return port;
    }
  }
  return std::nullopt;
}

}  // namespace holdfast::live
