#include "harness/machine/net/reserved_port.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "harness/kernel/require.h"
#include "harness/machine/process/live_error.h"

namespace holdfast::live {

ReservedPort::ReservedPort() : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool found = descriptor_ >= 0 &&
                     bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
                     getsockname(descriptor_, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  // Only now: with it, a free port could be one that another of us reserved.
  const int yes = 1;
  if (!found || setsockopt(descriptor_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0) {
    const int problem = errno;
    close(descriptor_);
    throw LiveError(
        fmt::format("no free port can be found on the loopback address: {}.", std::strerror(problem)));
  }
  number_ = ntohs(address.sin_port);
  require(number_ > 0, "a port that is reserved has a number");
}

ReservedPort::~ReservedPort() {
  close(descriptor_);
}

}  // namespace holdfast::live
