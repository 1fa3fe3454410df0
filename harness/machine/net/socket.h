// A connection of a client process: not blocking, whole messages in and out.
//
// It connects by itself; what is sent before that waits. It ends once, by the other side or by close(), and
// says so once, from the poller or from send(). Whoever hears of the end may not destroy it right there.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "harness/env/call_error.h"
#include "harness/machine/net/endpoint.h"
#include "harness/machine/net/poller.h"

namespace holdfast::live {

struct SocketOptions {
  Endpoint endpoint;
  std::optional<std::size_t> (*framing)(std::string_view bytes) = nullptr;
  std::function<void(std::string_view message)> heard;
  std::function<void(CallError reason)> ended;
};

class Socket final : public Pollable {
 public:
  Socket(Poller& poller, SocketOptions options);
  ~Socket();

  void send(std::string_view message);
  // Without a word to `ended`.
  void close();
  bool is_open() const { return descriptor_ >= 0; }

  int descriptor() const override { return descriptor_; }
  bool wants_to_write() const override { return !is_connected_ || !outbox_.empty(); }
  void on_ready() override;

 private:
  void connect();
  void connect_to(int family, const sockaddr* address, socklen_t size);
  void finish_connecting();
  void read();
  void write();
  void end(CallError reason);

  Poller& poller_;
  SocketOptions options_;
  int descriptor_ = -1;
  bool is_connected_ = false;
  std::string inbox_;
  std::string outbox_;
};

}  // namespace holdfast::live
