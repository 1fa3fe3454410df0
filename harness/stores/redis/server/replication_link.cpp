#include "harness/stores/redis/server/replication_link.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "harness/machine/net/peer.h"
#include "harness/machine/process/live_error.h"

namespace holdfast::live {
namespace {

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

void close_socket(int& descriptor) {
  if (descriptor >= 0) {
    ::close(descriptor);
  }
  descriptor = -1;
}

}  // namespace

ReplicationLink::ReplicationLink() = default;

ReplicationLink::~ReplicationLink() {
  close();
}

int ReplicationLink::open(int primary_port) {
  close();
  primary_port_ = primary_port;
  listening_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (listening_ < 0 || bind(listening_, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      listen(listening_, 4) != 0 ||
      getsockname(listening_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw LiveError("no port of the loopback address is free for replication.");
  }
  return ntohs(address.sin_port);
}

void ReplicationLink::close() {
  close_socket(listening_);
  close_socket(to_replica_);
  close_socket(to_primary_);
  for_replica_.clear();
  for_primary_.clear();
  holds_ = false;
}

void ReplicationLink::hold_from(std::int64_t offset) {
  holds_ = true;
  forwarded_ = offset;
  released_ = offset;
}

void ReplicationLink::accept_replica() {
  const int accepted = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (accepted < 0) {
    return;
  }
  if (!is_of_our_user(accepted)) {
    ::close(accepted);
    return;
  }
  // A replica that comes again starts over.
  close_socket(to_replica_);
  close_socket(to_primary_);
  for_replica_.clear();
  for_primary_.clear();
  holds_ = false;
  to_replica_ = accepted;
  to_primary_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(primary_port_);
  if (to_primary_ < 0 ||
      connect(to_primary_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    close_socket(to_primary_);
    close_socket(to_replica_);
    return;
  }
  fcntl(to_primary_, F_SETFL, fcntl(to_primary_, F_GETFL) | O_NONBLOCK);
}

bool ReplicationLink::read_into(int& from, std::string& buffer) {
  char block[65536];
  const ssize_t got = recv(from, block, sizeof block, 0);
  if (got > 0) {
    buffer.append(block, static_cast<std::size_t>(got));
    return true;
  }
  return got < 0 && (errno == EAGAIN || errno == EINTR);
}

void ReplicationLink::write_from(std::string& buffer, int to, std::size_t most) {
  const std::size_t size = std::min(most, buffer.size());
  if (size == 0) {
    return;
  }
  const ssize_t sent = send(to, buffer.data(), size, MSG_NOSIGNAL);
  if (sent > 0) {
    buffer.erase(0, static_cast<std::size_t>(sent));
    forwarded_ += holds_ && to == to_replica_ ? sent : 0;
  }
}

void ReplicationLink::pump(int milliseconds) {
  const auto may_pass = [&] {
    return holds_ ? static_cast<std::size_t>(std::max<std::int64_t>(0, released_ - forwarded_))
                  : for_replica_.size();
  };
  const auto wants_to_write = [](bool wants) {
    return static_cast<short>(wants ? POLLIN | POLLOUT : POLLIN);
  };
  pollfd watched[] = {
      {listening_, POLLIN, 0},
      {to_replica_, wants_to_write(!for_replica_.empty() && may_pass() > 0), 0},
      {to_primary_, wants_to_write(!for_primary_.empty()), 0},
  };
  if (poll(watched, 3, milliseconds) <= 0) {
    return;
  }
  bool alive = true;
  if (to_replica_ >= 0 && (watched[1].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
    alive = read_into(to_replica_, for_primary_) && alive;
  }
  if (to_primary_ >= 0 && (watched[2].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
    alive = read_into(to_primary_, for_replica_) && alive;
  }
  if (!alive) {
    close_socket(to_replica_);
    close_socket(to_primary_);
  } else if (to_replica_ >= 0) {
    write_from(for_replica_, to_replica_, may_pass());
    write_from(for_primary_, to_primary_, for_primary_.size());
  }
  if ((watched[0].revents & POLLIN) != 0) {
    accept_replica();
  }
}

}  // namespace holdfast::live
