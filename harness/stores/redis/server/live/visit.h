// A look at a Redis server of the user's, before and after a run, or to clear away what a run left there.
//
// Everything has an end, whatever the server does: each answer must come within seconds, a search for keys
// has a time of its own, and a server that forbids it is told of.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/stores/live_servers.h"
#include "harness/stores/redis/server/connection.h"

namespace holdfast::live {

// How every key of a run begins, or what stands in its braces: "holdfast:17f3a…:", another one each time.
std::string new_mark();
// Whether the key is one of a run's, of any run.
bool has_a_mark(std::string_view key);

// Of "localhost:6379". Throws LiveError if there is no such place.
boost::asio::ip::tcp::endpoint resolved_endpoint(const std::string& text);

class Visit {
 public:
  // Connects and logs in; the password may be empty. Throws LiveError with one sentence.
  Visit(const boost::asio::ip::tcp::endpoint& endpoint, const std::string& password);

  redis::Reply ask(const redis::Command& command) { return connection_.execute(command); }
  // "127.0.0.1:6379"
  const std::string& name() const { return name_; }
  // What no two servers have in common; empty if the server does not say.
  std::string identity();

  // Calls `found` with each key that fits, as soon as it is found (perhaps twice); it may be deleted then.
  // Throws LiveError if the server forbids to look, or does not come to an end in `time`.
  void each_key_like(const std::string& pattern, std::chrono::seconds time,
                     const std::function<void(const std::string& key)>& found);
  // Throws LiveError if the server refuses.
  bool remove(const std::string& key);
  // Gives the key this time to live if it has none. Whether it is there. Throws LiveError if the server
  // refuses.
  bool let_expire(const std::string& key, std::chrono::seconds after);

 private:
  void require(const redis::Reply& reply) const;

  std::string name_;
  Connection connection_;
};

// Removes the keys of all runs from it, be they over or not.
ClearedServer clear_marked_keys(const std::string& endpoint, const std::string& password);

}  // namespace holdfast::live
