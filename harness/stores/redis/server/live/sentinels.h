// Three real Sentinels that watch over the servers of a live run, and do the failover.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/net/reserved_port.h"
#include "harness/machine/process/child.h"
#include "harness/machine/program/server_program.h"
#include "harness/stores/redis/command.h"
#include "harness/stores/redis/reply.h"

namespace holdfast::live {

class Sentinels {
 public:
  // `program` is that of the servers; `ports`: where the primary of each server is reached, by Sentinels as
  // by its replicas. Throws LiveError.
  Sentinels(ServerProgram program, const std::filesystem::path& directory, const std::vector<int>& ports,
            std::string password);
  Sentinels(const Sentinels&) = delete;
  Sentinels& operator=(const Sentinels&) = delete;

  // All know each other and the server's replicas: from now on a failover can succeed.
  bool are_ready(std::size_t server, std::size_t replicas);
  // The port of the primary, as most of them see it; nothing: they do not agree.
  std::optional<int> primary_port(std::size_t server);
  // Throws LiveError if one has ended.
  void look_after();

 private:
  struct Sentinel {
    std::filesystem::path directory;
    std::unique_ptr<ReservedPort> port;
    std::unique_ptr<Child> child;
  };

  void start(const std::filesystem::path& directory, const std::vector<int>& ports);
  void write_configuration(const Sentinel& sentinel, const std::vector<int>& ports) const;
  static std::string socket_of(const Sentinel& sentinel) { return (sentinel.directory / "sock").string(); }
  redis::Reply ask(const Sentinel& sentinel, const redis::Command& command);

  ServerProgram program_;
  std::string password_;  // theirs and the servers'
  std::vector<Sentinel> sentinels_;
};

}  // namespace holdfast::live
