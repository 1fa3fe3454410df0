// The servers of a live run, whatever store they are of: real ones, in real time.
//
// The doors of a run lead to TargetServers, which are LiveServers, started for this run and gone with it, or
// UserServers, which were there before and are left as they were found. A *server* is what a client connects
// to, and its *members* are processes, as in harness/stores/servers.h: numbered here as Servers::all_members
// lists them. Everything works on an io_context of one thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/kernel/network.h"
#include "harness/machine/program/server_program.h"
#include "harness/machine/proxy/wire.h"
#include "harness/stores/servers.h"

namespace holdfast::live {

class TargetServers {
 public:
  TargetServers() = default;
  TargetServers(const TargetServers&) = delete;
  TargetServers& operator=(const TargetServers&) = delete;
  virtual ~TargetServers() = default;

  // "redis-server 7.0.15"; of the user's, where they are: "127.0.0.1:6379, 127.0.0.1:6380".
  virtual std::string name() const = 0;
  // Where a connection to the server goes now; nothing: nobody serves.
  virtual std::optional<boost::asio::ip::tcp::endpoint> target(std::size_t server) = 0;
  // For one connection to one of them. They outlive it.
  virtual std::unique_ptr<Wire> make_wire() = 0;
};

// What LiveServers are started with; all of it is only looked at while they start, but for the context.
struct LiveServersSetup {
  boost::asio::io_context& context;
  const ServersPlan& plan;
  std::filesystem::path directory;  // of the run; they may have folders of their own in it
  bool moves_clocks = false;        // their clocks are going to be touched
  const ServerPrograms& programs;
  bool fails_over_by_itself = false;     // Store::own_failover
  Duration patience_with_stopped = 15s;  // one that somebody else has stopped; in real time
};

class LiveServers : public TargetServers {
 public:
  // The member that serves. A failover that they do by themselves is over when this says so.
  virtual std::size_t serving(std::size_t server) const = 0;
  virtual std::size_t server_of(std::size_t member) const = 0;

  virtual void kill(std::size_t member) = 0;
  // Again, with what it finds of its last life.
  virtual void start(std::size_t member) = 0;
  virtual void signal(std::size_t member, int number) = 0;
  virtual void set_clock_offsets(std::size_t member, Duration wall, Duration monotonic) = 0;
  // One of the server's members takes over from the one that died, under the number of `member`: now, or as
  // soon as they have seen to it by themselves.
  virtual void promote(std::size_t server, std::size_t member) = 0;
  // What the links between the member and the one that serves do from now on.
  virtual void follow(std::size_t member, const Network::LinkState& to_serving,
                      const Network::LinkState& from_serving) = 0;
  // To be called often. Throws LiveError if one has ended that was not told to, or stands still for long.
  virtual void look_after() {}
  // Before a run is judged. Throws LiveError if one stands still that was not told to, for however short.
  virtual void look_at_the_end() { look_after(); }
};

// What a run leaves on them is taken away when this object goes, and also if the program is killed.
class UserServers : public TargetServers {
 public:
  // How the names of all that the run writes have to begin.
  virtual const std::string& mark() const = 0;
  // Before a run is judged. Throws LiveError if one does not answer any more.
  virtual void look_at_the_end() {}
};

// What was removed from one server of the user's because runs had left it there.
struct ClearedServer {
  std::string name;
  std::vector<std::string> removed;
  std::string problem;  // why there may be more; empty: there is not
};

}  // namespace holdfast::live
