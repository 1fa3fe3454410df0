#include "harness/stores/redis/server/replication_link.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <utility>

#include "harness/machine/net/peer.h"
#include "harness/machine/process/live_error.h"
#include "harness/stores/redis/wire/resp.h"

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

// What is said in several parts is not to wait for the other end to confirm the first (40 ms).
void send_at_once(int descriptor) {
  const int yes = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

// Takes the whole commands off the front of `unread`, and tells each to `read`, with the number of its bytes.
// Empty lines stand between them: signs of life, of one who is busy with loading.
template <typename Read>
void take_commands(std::string& unread, const Read& read) {
  std::size_t taken = 0;
  while (taken < unread.size()) {
    const std::string_view rest = std::string_view(unread).substr(taken);
    const std::optional<std::size_t> length = rest.front() == '\n' ? 1 : resp_length(rest);
    if (!length) {
      break;
    }
    const auto command = rest.front() == '\n' ? std::nullopt : resp_command(rest.substr(0, *length));
    read(command.value_or(redis::Command()), *length);
    taken += *length;
  }
  unread.erase(0, taken);
}

bool says(const redis::Command& command, std::string_view first, std::string_view second) {
  return command.size() >= 3 && command[0] == first && command[1] == second;
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
  said_ = 0;
  said_forwarded_ = 0;
  said_released_ = 0;
  given_unread_.clear();
  said_unread_.clear();
  asked_.reset();
  acknowledgements_.clear();
}

void ReplicationLink::release_said(std::int64_t bytes) {
  said_released_ = std::max(said_released_, bytes);
}

std::optional<std::int64_t> ReplicationLink::offset_said_by(std::int64_t bytes) const {
  std::optional<std::int64_t> last;
  for (const Acknowledgement& each : acknowledgements_) {
    last = each.said <= bytes ? std::optional(each.offset) : last;
  }
  return last;
}

void ReplicationLink::note_given(std::string_view bytes) {
  given_unread_ += bytes;
  std::int64_t begin = forwarded_ - static_cast<std::int64_t>(given_unread_.size());
  take_commands(given_unread_, [&](const redis::Command& command, std::size_t length) {
    if (says(command, "REPLCONF", "GETACK")) {
      asked_ = begin;
    }
    begin += static_cast<std::int64_t>(length);
  });
}

void ReplicationLink::note_said(std::string_view bytes) {
  said_ += static_cast<std::int64_t>(bytes.size());
  said_unread_ += bytes;
  std::int64_t end = said_ - static_cast<std::int64_t>(said_unread_.size());
  take_commands(said_unread_, [&](const redis::Command& command, std::size_t length) {
    end += static_cast<std::int64_t>(length);
    std::int64_t offset = 0;
    if (says(command, "REPLCONF", "ACK") &&
        std::from_chars(command[2].data(), command[2].data() + command[2].size(), offset).ec == std::errc()) {
      acknowledgements_.push_back({end, offset});
    }
  });
}

std::size_t ReplicationLink::replica_may_have() const {
  return holds_ ? static_cast<std::size_t>(std::max<std::int64_t>(0, released_ - forwarded_))
                : for_replica_.size();
}

std::size_t ReplicationLink::primary_may_have() const {
  return holds_ ? static_cast<std::size_t>(std::max<std::int64_t>(0, said_released_ - said_forwarded_))
                : for_primary_.size();
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
  send_at_once(to_replica_);
  send_at_once(to_primary_);
}

bool ReplicationLink::read_into(int from, std::string& buffer) {
  char block[65536];
  const ssize_t got = recv(from, block, sizeof block, 0);
  if (got <= 0) {
    return got < 0 && (errno == EAGAIN || errno == EINTR);
  }
  const std::string_view bytes(block, static_cast<std::size_t>(got));
  buffer += bytes;
  if (holds_ && from == to_replica_) {
    note_said(bytes);
  }
  return true;
}

void ReplicationLink::write_from(std::string& buffer, int to, std::size_t most) {
  const std::size_t size = std::min(most, buffer.size());
  const ssize_t sent = size == 0 ? 0 : send(to, buffer.data(), size, MSG_NOSIGNAL);
  if (sent <= 0) {
    return;
  }
  if (holds_ && to == to_replica_) {
    forwarded_ += sent;
    note_given(std::string_view(buffer).substr(0, static_cast<std::size_t>(sent)));
  } else if (holds_) {
    said_forwarded_ += sent;
  }
  buffer.erase(0, static_cast<std::size_t>(sent));
}

void ReplicationLink::pump(int milliseconds) {
  const auto wants = [](std::size_t waiting, std::size_t may_pass) {
    return static_cast<short>(waiting > 0 && may_pass > 0 ? POLLIN | POLLOUT : POLLIN);
  };
  pollfd watched[] = {
      {listening_, POLLIN, 0},
      {to_replica_, wants(for_replica_.size(), replica_may_have()), 0},
      {to_primary_, wants(for_primary_.size(), primary_may_have()), 0},
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
    write_from(for_replica_, to_replica_, replica_may_have());
    write_from(for_primary_, to_primary_, primary_may_have());
  }
  if ((watched[0].revents & POLLIN) != 0) {
    accept_replica();
  }
}

}  // namespace holdfast::live
