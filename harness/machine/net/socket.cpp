#include "harness/machine/net/socket.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <memory>
#include <utility>

#include "harness/kernel/require.h"
#include "harness/machine/process/live_error.h"

namespace holdfast::live {
namespace {

constexpr std::size_t socket_read_size = 16'384;

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Addresses look_up(const Endpoint& endpoint) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(endpoint.host.c_str(), std::to_string(endpoint.port).c_str(), &wanted, &found) != 0) {
    found = nullptr;
  }
  return {found, &freeaddrinfo};
}

}  // namespace

std::string to_text(const Endpoint& endpoint) {
  const bool is_v6 = endpoint.host.find(':') != std::string::npos;
  return is_v6 ? fmt::format("[{}]:{}", endpoint.host, endpoint.port)
               : fmt::format("{}:{}", endpoint.host, endpoint.port);
}

Endpoint endpoint_from(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  Endpoint endpoint;
  if (colon != std::string_view::npos && colon > 0) {
    std::string_view host = text.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']')) {
      host = host.substr(1, host.size() - 2);
    }
    const std::string_view digits = text.substr(colon + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), endpoint.port);
    if (error == std::errc() && end == digits.data() + digits.size() && endpoint.port != 0 && !host.empty()) {
      endpoint.host = std::string(host);
      return endpoint;
    }
  }
  throw LiveError(fmt::format("an endpoint is HOST:PORT, such as 127.0.0.1:6379, not \"{}\".", text));
}

Socket::Socket(Poller& poller, SocketOptions options) : poller_(poller), options_(std::move(options)) {
  require(options_.framing != nullptr && options_.heard && options_.ended,
          "a connection has somebody who hears of its messages and of its end");
  poller_.add(*this);
  connect();
}

Socket::~Socket() {
  close();
  poller_.remove(*this);
}

void Socket::connect() {
  if (const std::string& path = options_.endpoint.host; path.starts_with('/')) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() < sizeof address.sun_path) {
      path.copy(address.sun_path, path.size());
      connect_to(AF_UNIX, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }
    return;  // if not, it is as good as closed: whoever sends learns of it
  }
  if (const Addresses addresses = look_up(options_.endpoint); addresses != nullptr) {
    connect_to(addresses->ai_family, addresses->ai_addr, addresses->ai_addrlen);
  }
}

void Socket::connect_to(int family, const sockaddr* address, socklen_t size) {
  descriptor_ = ::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (family != AF_UNIX) {
    const int yes = 1;
    setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  }
  if (::connect(descriptor_, address, size) == 0) {
    is_connected_ = true;
  } else if (errno != EINPROGRESS) {
    close();
  }
}

void Socket::close() {
  if (is_open()) {
    ::close(std::exchange(descriptor_, -1));
  }
}

void Socket::end(CallError reason) {
  close();
  options_.ended(reason);
}

void Socket::send(std::string_view message) {
  if (!is_open()) {
    options_.ended(CallError::refused);
    return;
  }
  outbox_ += message;
  if (is_connected_) {
    write();
  }
}

void Socket::finish_connecting() {
  int problem = 0;
  socklen_t size = sizeof problem;
  getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &problem, &size);
  if (problem != 0) {
    end(CallError::refused);
    return;
  }
  is_connected_ = true;
}

void Socket::on_ready() {
  if (is_open() && !is_connected_) {
    finish_connecting();
  }
  if (is_open() && !outbox_.empty()) {
    write();
  }
  if (is_open()) {
    read();
  }
}

void Socket::write() {
  while (!outbox_.empty()) {
    const ssize_t sent = ::send(descriptor_, outbox_.data(), outbox_.size(), MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno != EAGAIN && errno != EINTR) {
        end(CallError::reset);
      }
      return;
    }
    outbox_.erase(0, static_cast<std::size_t>(sent));
  }
}

void Socket::read() {
  char buffer[socket_read_size];
  const ssize_t size = ::recv(descriptor_, buffer, sizeof buffer, 0);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) {
    return;
  }
  if (size <= 0) {
    end(CallError::reset);
    return;
  }
  inbox_.append(buffer, static_cast<std::size_t>(size));
  std::string_view rest = inbox_;
  std::optional<std::size_t> length = options_.framing(rest);
  while (is_open() && length) {
    require(*length > 0 && *length <= rest.size(), "a message is some of the bytes that came");
    options_.heard(rest.substr(0, *length));
    rest.remove_prefix(*length);
    length = options_.framing(rest);
  }
  inbox_.erase(0, inbox_.size() - rest.size());
}

}  // namespace holdfast::live
