// For tests: a connection of ours to a program under a supervisor. It never waits: what is not there at rest
// is not there.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <filesystem>
#include <string>

#include "harness/machine/process/descriptor.h"
#include "harness/machine/rest/supervisor.h"

namespace holdfast::rest::test_held {

class TestSocket {
 public:
  bool dial(const std::filesystem::path& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.string().copy(address.sun_path, sizeof address.sun_path - 1);
    return connect_to(AF_UNIX, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }
  bool dial(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int on = 1;
    return connect_to(AF_INET, reinterpret_cast<const sockaddr*>(&address), sizeof address) &&
           ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0;
  }
  bool is_open() const { return static_cast<bool>(socket_); }
  void close() { socket_ = live::Descriptor(); }
  int get() const { return socket_.get(); }

  // What has come since; it stays in `inbox` until taken.
  const std::string& read() {
    char bytes[65536];
    for (ssize_t got = 1; got > 0;) {
      got = ::recv(socket_.get(), bytes, sizeof bytes, MSG_DONTWAIT);
      inbox.append(bytes, got > 0 ? static_cast<std::size_t>(got) : 0);
      is_closed = is_closed || got == 0;
    }
    return inbox;
  }
  bool has_something() {
    read();
    return !inbox.empty();
  }

  std::string inbox;
  bool is_closed = false;

 private:
  bool connect_to(int family, const sockaddr* address, socklen_t length) {
    live::Descriptor opened(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::connect(opened.get(), address, length) != 0) {
      return false;
    }
    socket_ = std::move(opened);
    return true;
  }

  live::Descriptor socket_;
};

}  // namespace holdfast::rest::test_held
