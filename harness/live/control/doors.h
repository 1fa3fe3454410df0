// All ways of a live run on which messages pass: from each client thread to each server and to storage, and
// from each replica to its primary. What the mirror's network orders for a link, the doors of that link do.
//
// A Door is a Proxy that knows whose it is. Its messages are calls: each is told as it arrives at the server,
// and as its answer leaves it.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/env/steps.h"
#include "harness/kernel/network.h"
#include "harness/machine/proxy/proxy.h"
#include "harness/stores/redis/command.h"

namespace holdfast::live {

inline constexpr int storage_server = -1;

struct DoorOwner {
  ProcessId client{};
  std::uint32_t thread = 0;
  int server = 0;  // storage_server, or which
};

class DoorObserver {
 public:
  DoorObserver() = default;
  DoorObserver(const DoorObserver&) = delete;
  DoorObserver& operator=(const DoorObserver&) = delete;
  virtual ~DoorObserver() = default;
  // `phase` is arrived or applied.
  virtual void on_call(const DoorOwner& owner, Phase phase, std::string_view name, const CallText& call) = 0;
  // The words of a command that is about to arrive at a server.
  virtual void on_words(const redis::Command&) {}
  virtual void on_trouble(const std::string& sentence) = 0;
  // Its server does not take a connection.
  virtual void on_unreachable(const DoorOwner&, const boost::system::error_code&) {}
};

class Door {
 public:
  using Target = std::function<std::optional<boost::asio::ip::tcp::endpoint>()>;

  // `greeting` as in ProxyOptions.
  Door(boost::asio::io_context& context, const DoorOwner& owner, Target target, std::string greeting,
       DoorObserver& observer);

  const DoorOwner& owner() const { return owner_; }
  std::uint16_t port() const { return proxy_.port(); }
  void reset_connections() { proxy_.reset_connections(); }

  // What stays until it is taken back.
  void follow(Direction direction, const Network::LinkState& state);
  // What is for the next message only.
  void order_next(Direction direction, const Network::LinkState& state);

 private:
  struct Asked {
    std::string name;
    std::string text;
  };

  void watch(Direction direction, std::uint32_t connection, std::string_view message);
  void request_passes(std::uint32_t connection, std::string_view message);
  void reply_passes(std::uint32_t connection, std::string_view message);

  DoorOwner owner_;
  DoorObserver& observer_;
  std::map<std::uint32_t, std::deque<Asked>> asked_;  // by connection, what was not answered yet
  Network::LinkState followed_[2];
  Proxy proxy_;
};

// Makes the proxy do what the link's state says, where it said something else before.
void follow(Proxy& proxy, Direction direction, const Network::LinkState& before,
            const Network::LinkState& now);

// For a stream that nobody looks into, such as replication: whatever has come is a message.
std::optional<std::size_t> any_bytes(std::string_view bytes);

}  // namespace holdfast::live
