// A redis-server of ours: started in a directory of its own, gone with its object.
//
// It listens on a unix socket in that directory and, if asked, on a free port of the loopback address.
// Nothing is read from or written to any other place.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/live/process/child.h"
#include "harness/stores/redis/backend.h"

namespace holdfast::live {

struct RedisServerOptions {
  std::filesystem::path directory;  // must exist; one server each
  redis::AppendOnly append_only = redis::AppendOnly::never;
  bool listens = false;                                          // on a port, too
  std::vector<std::pair<std::string, std::string>> environment;  // for the program
  std::vector<std::string> settings;                             // more lines for its configuration
};

class RedisServer {
 public:
  // Starts it and waits until it answers. Throws LiveError: not installed, does not come up.
  explicit RedisServer(RedisServerOptions options);

  void kill() { child_->kill(); }
  void signal(int number) { child_->signal(number); }
  // Again in the same directory, on the same socket and port, with what it finds there.
  void start();
  bool is_running() { return child_->is_running(); }
  std::string why_it_ended() const;

  const std::filesystem::path& directory() const { return options_.directory; }
  std::string socket() const { return (options_.directory / "redis.sock").string(); }
  int port() const { return port_; }
  pid_t process() const { return child_->process(); }
  // "7.0.15"
  const std::string& version() const { return version_; }

 private:
  void write_configuration() const;
  void wait_until_it_answers();

  RedisServerOptions options_;
  int port_ = 0;
  std::string version_;
  std::unique_ptr<Child> child_;
};

// A port of the loopback address that nobody uses now.
int free_port();

}  // namespace holdfast::live
