// All ways of a live run on which messages pass, from each client thread to each server and to storage. What
// the mirror's network orders for a link, the doors of that link do.
//
// A Door is a Proxy that knows whose it is. Its requests are calls: each is told as it arrives at the server,
// and as its answer leaves it.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "harness/env/steps.h"
#include "harness/machine/proxy/link_follower.h"
#include "harness/machine/proxy/proxy.h"

namespace holdfast::live {

inline constexpr int storage_server = -1;

struct DoorOwner {
  std::size_t door = 0;  // its place among all doors of the run
  ProcessId client{};
  std::uint32_t thread = 0;
  int server = 0;  // storage_server, or which
};

// What passes a door, of a call.
struct Passing {
  Phase phase = Phase::arrived;  // or applied
  std::string_view name;
  std::uint32_t connection = 0;  // of the door's, from 1
};

class DoorObserver {
 public:
  DoorObserver() = default;
  DoorObserver(const DoorObserver&) = delete;
  DoorObserver& operator=(const DoorObserver&) = delete;
  virtual ~DoorObserver() = default;
  virtual void on_call(const DoorOwner& owner, const Passing& passing, const CallText& call) = 0;
  virtual void on_trouble(const std::string& sentence) = 0;
  // Its server does not take a connection.
  virtual void on_unreachable(const DoorOwner&, const boost::system::error_code&) {}
};

struct DoorOptions {
  DoorOwner owner;
  std::string server_name;  // "redis server 1", in sentences
  MakeWire make_wire;
  // Nothing: nobody is there now.
  std::function<std::optional<boost::asio::ip::tcp::endpoint>()> target;
};

class Door {
 public:
  Door(boost::asio::io_context& context, DoorOptions options, DoorObserver& observer);
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

  const DoorOwner& owner() const { return owner_; }
  std::uint16_t port() const { return proxy_.port(); }
  void reset_connections() { proxy_.reset_connections(); }
  void reset_connection(std::uint32_t connection) { proxy_.reset_connection(connection); }
  LinkFollower& link() { return link_; }

 private:
  void watch(const WireMessage& message);

  DoorOwner owner_;
  std::string server_name_;
  DoorObserver& observer_;
  Proxy proxy_;
  LinkFollower link_;
};

}  // namespace holdfast::live
