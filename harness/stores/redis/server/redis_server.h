// A redis-server of ours: started in a directory of its own, gone with its object.
//
// It listens on a unix socket in that directory and, if asked, on a free port of the loopback address.
// Nothing is read from or written to any other place.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/clock/verified_launch.h"
#include "harness/machine/net/reserved_port.h"
#include "harness/machine/process/child.h"
#include "harness/machine/program/server_program.h"
#include "harness/stores/redis/append_only.h"

struct redisContext;

namespace holdfast::live {

// What the programs of a Redis server are called, in the order in which they are looked for in a tree.
const std::vector<std::string>& redis_program_names();
ServerProgram installed_redis();
// "valkey-server 8.1.1", by what a server says of itself (INFO). Valkey's redis_version is that of the Redis
// it descends from.
std::string redis_vendor_and_release(std::string_view info);

struct RedisServerOptions {
  std::filesystem::path directory;  // must exist; one server each
  redis::AppendOnly append_only = redis::AppendOnly::never;
  bool listens = false;               // on a port, too
  std::string password = {};          // of all who connect to it, and of it to its primary; empty: none
  ClockPage* clock = nullptr;         // the page that it lives on, which must outlive it; none: real time
  std::vector<std::string> settings;  // more lines for its configuration
  ServerProgram program = installed_redis();
  int patience_seconds = 15;                       // with an answer of it; a loaded machine is slow
  std::function<void(int port)> port_chosen = {};  // before it is listened on; for tests
};

class RedisServer {
 public:
  // Starts it and waits until it answers. Throws LiveError: not installed, does not come up, does not follow
  // its clock.
  explicit RedisServer(RedisServerOptions options);

  void kill() { child_->kill(); }
  void signal(int number) { child_->signal(number); }
  // Again in the same directory, on the same socket and port, with what it finds there.
  void start();
  bool is_running() { return child_->is_running(); }
  bool is_stopped() const { return child_->is_stopped(); }
  // After a connection broke: whether that was its end. Waits a moment for it.
  bool is_about_to_end();
  // "redis-server ended with signal 9: …"; `when` comes before the colon.
  std::string why_it_ended(std::string_view when = {}) const;
  // "redis-server cannot write its append-only file …", when it says so.
  std::string why_no_file() const;

  const std::filesystem::path& directory() const { return options_.directory; }
  std::string socket() const { return (options_.directory / "redis.sock").string(); }
  int port() const { return port_ == nullptr ? 0 : port_->number(); }
  int patience_seconds() const { return options_.patience_seconds; }
  const std::string& password() const { return options_.password; }
  // "redis-server", "valkey-server"
  const std::string& program_name() const { return options_.program.name(); }
  pid_t process() const { return child_->process(); }
  // "redis-server 7.0.15", "valkey-server 8.1.1"
  const std::string& vendor_and_release() const { return vendor_and_release_; }

 private:
  void write_configuration() const;
  void wait_until_it_answers();
  // Whether it says the time of its page.
  void verify_clock(redisContext& connection);
  bool found_its_port_taken() const;
  std::filesystem::path log() const { return options_.directory / "log"; }
  // Why it ended or does not answer: what we know, or else so many lines of its log.
  std::string last_words(std::size_t lines) const;

  RedisServerOptions options_;
  std::unique_ptr<ReservedPort> port_;
  std::string vendor_and_release_;
  std::unique_ptr<VerifiedLaunch> launch_;  // if it has a clock of its own
  std::unique_ptr<Child> child_;
};

}  // namespace holdfast::live
