#include "harness/machine/net/peer.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace holdfast::live {
namespace {

// As /proc/net/tcp writes it: the bytes of the address as one number of this machine's, and the port.
std::string as_the_kernel_writes(const sockaddr_in& address) {
  return fmt::format("{:08X}:{:04X}", address.sin_addr.s_addr, ntohs(address.sin_port));
}

}  // namespace

bool is_of_our_user(int descriptor) {
  sockaddr_in ours{};
  sockaddr_in theirs{};
  socklen_t size = sizeof ours;
  socklen_t their_size = sizeof theirs;
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&ours), &size) != 0 ||
      getpeername(descriptor, reinterpret_cast<sockaddr*>(&theirs), &their_size) != 0 ||
      theirs.sin_family != AF_INET) {
    return true;
  }
  const std::string local = as_the_kernel_writes(theirs);
  const std::string remote = as_the_kernel_writes(ours);
  std::ifstream table("/proc/net/tcp");
  std::string line;
  while (std::getline(table, line)) {
    std::istringstream words(line);
    std::string number;
    std::string from;
    std::string to;
    std::string state;
    std::string queues;
    std::string timer;
    std::string retransmits;
    uid_t owner = 0;
    if (words >> number >> from >> to >> state >> queues >> timer >> retransmits >> owner && from == local &&
        to == remote) {
      return owner == 0 || owner == geteuid();
    }
  }
  return true;
}

}  // namespace holdfast::live
