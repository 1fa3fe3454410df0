// Who is at the other end: our own programs are let in, those of another user are not. The latter needs root,
// to become one.
#include "harness/machine/net/peer.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>

namespace holdfast::live {
namespace peer_test {

constexpr uid_t nobody = 65534;

enum class Stays : std::uint8_t { until_it_is_let_in, no_longer_than_it_takes_to_send };

// Lets a process of that user connect, and says whether it is taken for ours.
bool is_let_in(uid_t user, Stays stays = Stays::until_it_is_let_in) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const int listening = socket(AF_INET, SOCK_STREAM, 0);
  EXPECT_EQ(bind(listening, reinterpret_cast<const sockaddr*>(&address), size), 0);
  EXPECT_EQ(listen(listening, 1), 0);
  EXPECT_EQ(getsockname(listening, reinterpret_cast<sockaddr*>(&address), &size), 0);
  const pid_t child = fork();
  if (child == 0) {
    const bool is_other = user == geteuid() || setuid(user) == 0;
    const int connected = socket(AF_INET, SOCK_STREAM, 0);
    char byte = 0;
    const bool well =
        is_other && connect(connected, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    if (stays == Stays::no_longer_than_it_takes_to_send) {
      _exit(well && write(connected, "SHUTDOWN", 8) == 8 ? 0 : 1);
    }
    _exit(well && read(connected, &byte, 1) == 0 ? 0 : 1);
  }
  if (stays == Stays::no_longer_than_it_takes_to_send) {
    siginfo_t ended{};
    waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
  }
  const int accepted = accept(listening, nullptr, nullptr);
  const bool result = is_of_our_user(accepted);
  close(accepted);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  close(listening);
  return result;
}

TEST(Peer, OurOwnProgramsAreLetIn) {
  EXPECT_TRUE(is_let_in(geteuid()));
}

TEST(Peer, ProgramsOfAnotherUserAreNot) {
  if (geteuid() != 0) {
    GTEST_SKIP() << "only root can become another user";
  }
  EXPECT_FALSE(is_let_in(nobody));
}

// The kernel lists what they left as root's.
TEST(Peer, WhoHasGoneByThenIsNobody) {
  EXPECT_FALSE(is_let_in(geteuid(), Stays::no_longer_than_it_takes_to_send));
  if (geteuid() == 0) {
    EXPECT_FALSE(is_let_in(nobody, Stays::no_longer_than_it_takes_to_send));
  }
}

TEST(Peer, WhatIsNoConnectionIsNobodys) {
  EXPECT_FALSE(is_of_our_user(-1));
  EXPECT_FALSE(is_of_our_user(STDIN_FILENO));
}

}  // namespace peer_test
}  // namespace holdfast::live
