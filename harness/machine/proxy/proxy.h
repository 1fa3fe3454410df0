// A door between one client and one server: carries its connections, and can delay, hold, cut and reset them.
//
// What the kernel's network does to messages between simulated processes (harness/kernel/network.h) a Proxy
// does to real ones, with the same words. It reads whole messages, by the Wire of what it carries, so that
// one message can be lost and the next one arrive. What was read from the client is delivered even if the
// client is gone by then, as a network does.
//
// Works on an io_context of one thread and must outlive its run. A Watch is told of each message before its
// fate is decided: what it orders here strikes that very message.
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/kernel/network.h"
#include "harness/kernel/time.h"
#include "harness/machine/proxy/parcel.h"
#include "harness/machine/proxy/wire.h"

namespace holdfast::live {

struct ProxyOptions {
  MakeWire make_wire;
  // Where a new connection goes; nothing: nobody is there, and it is reset.
  std::function<std::optional<boost::asio::ip::tcp::endpoint>()> target;
  std::function<void(Direction direction, const WireMessage& message)> watch;
  // What came from the server is not what its Wire knows, or too much came: one sentence. A client that
  // sends nonsense loses its connection, and one of another user of the machine gets none.
  std::function<void(const std::string& sentence)> complain;
  std::string server_name = {};  // in such a sentence; empty: it is not named
  // The target takes no connection.
  std::function<void(const boost::system::error_code& problem)> unreachable = {};
  // What may be in it at a time, of all its connections; more is complained of.
  std::size_t most_waiting_bytes = 64U << 20U;
  std::size_t most_connections = 250;
};

class Proxy {
 public:
  // Listens on a free port of the loopback address. Throws LiveError if there is none.
  Proxy(boost::asio::io_context& context, ProxyOptions options);
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;
  ~Proxy();

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

  void hold(Direction direction) { ++line(direction).holds; }
  void let_go(Direction direction);
  // Silently: what is in flight and what is sent meanwhile is lost.
  void cut(Direction direction);
  void mend(Direction direction);
  // For all that comes from now on; negative takes it away again.
  void add_delay(Direction direction, Duration extra);
  // The next one that is not noise.
  void delay_next(Direction direction, Duration extra) { line(direction).delay_next += extra; }
  void lose_next(Direction direction) { ++line(direction).lose_next; }
  // It is lost, and the connection that it came over is reset, or all.
  void break_next(Direction direction, Breaking breaking) { line(direction).break_next = breaking; }
  // Both ends learn of it.
  void reset_connections();
  // Only this one (WireMessage::connection), if it is still there.
  void reset_connection(std::uint32_t number);

 private:
  class Connection;

  struct Held {
    std::shared_ptr<Connection> connection;
    Parcel message;
  };
  // One direction of all its connections.
  struct Line {
    int holds = 0;
    int cuts = 0;
    int lose_next = 0;
    Breaking break_next = Breaking::nothing;
    std::uint32_t epoch = 0;  // what was under way in an older one was lost to a cut
    Duration extra{0};
    Duration delay_next{0};
    std::deque<Held> held;
  };

  Line& line(Direction direction) { return lines_[static_cast<std::size_t>(direction)]; }
  void accept();
  void take(boost::asio::ip::tcp::socket client);
  void pass(const std::shared_ptr<Connection>& connection, Direction direction, const WireMessage& message,
            std::string bytes);
  void arrive(const std::shared_ptr<Connection>& connection, Direction direction, std::uint32_t epoch,
              Parcel message);
  void complain_of_bytes() const;

  boost::asio::io_context& context_;
  ProxyOptions options_;
  boost::asio::ip::tcp::acceptor acceptor_;
  WaitingBytes waiting_ = std::make_shared<std::size_t>(0);
  std::array<Line, 2> lines_;
  std::vector<std::weak_ptr<Connection>> connections_;
  std::uint32_t connections_taken_ = 0;
};

}  // namespace holdfast::live
