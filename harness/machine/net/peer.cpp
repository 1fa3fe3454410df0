#include "harness/machine/net/peer.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

namespace holdfast::live {
namespace {

// As /proc/net/tcp writes it: the bytes of the address as one number of this machine's, and the port.
std::string as_the_kernel_writes(const sockaddr_in& address) {
  return fmt::format("{:08X}:{:04X}", address.sin_addr.s_addr, ntohs(address.sin_port));
}

enum class Owner : std::uint8_t { ours, another, not_listed, no_table };

// Of the socket at that end of the connection.
Owner owner_of(const std::string& local, const std::string& remote) {
  std::ifstream table("/proc/net/tcp");
  if (!table) {
    return Owner::no_table;
  }
  std::string line;
  while (std::getline(table, line)) {
    std::istringstream words(line);
    std::string number;
    std::string from;
    std::string to;
    uid_t user = 0;
    std::uint64_t inode = 0;
    if (words >> number >> from >> to && from == local && to == remote) {
      std::string state;
      std::string queues;
      std::string timer;
      std::string retransmits;
      std::string timeout;
      const bool is_told =
          static_cast<bool>(words >> state >> queues >> timer >> retransmits >> user >> timeout >> inode);
      const bool has_owner =
          is_told && inode != 0;  // one that was closed is listed as root's, without a file
      return has_owner && (user == 0 || user == geteuid()) ? Owner::ours : Owner::another;
    }
  }
  return Owner::not_listed;
}

// While others come and go an entry can be missed.
constexpr int most_looks = 3;

}  // namespace

bool is_of_our_user(int descriptor) {
  sockaddr_in ours{};
  sockaddr_in theirs{};
  socklen_t size = sizeof ours;
  socklen_t their_size = sizeof theirs;
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&ours), &size) != 0 ||
      getpeername(descriptor, reinterpret_cast<sockaddr*>(&theirs), &their_size) != 0) {
    return false;
  }
  if (theirs.sin_family != AF_INET) {
    return true;
  }
  Owner owner = Owner::not_listed;
  for (int looks = 0; looks < most_looks && owner == Owner::not_listed; ++looks) {
    owner = owner_of(as_the_kernel_writes(theirs), as_the_kernel_writes(ours));
  }
  return owner == Owner::ours || owner == Owner::no_table;
}

}  // namespace holdfast::live
