// The way between two ends that are played by sockets of the test: what passes, when, and what is known of
// it.
#include "harness/stores/redis/server/replication_link.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <iterator>
#include <memory>
#include <string>

#include "harness/stores/redis/wire/resp.h"

namespace holdfast::live {
namespace replication_link_test {

class Socket {
 public:
  explicit Socket(int descriptor) : descriptor_(descriptor) {
    fcntl(descriptor_, F_SETFL, fcntl(descriptor_, F_GETFL) | O_NONBLOCK);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() { ::close(descriptor_); }

  int descriptor() const { return descriptor_; }
  void say(const std::string& bytes) const {
    EXPECT_EQ(send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  // All that has come so far.
  const std::string& heard() {
    char block[4096];
    for (ssize_t got = 0; (got = recv(descriptor_, block, sizeof block, 0)) > 0;) {
      heard_.append(block, static_cast<std::size_t>(got));
    }
    return heard_;
  }

 private:
  int descriptor_;
  std::string heard_;
};

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

class ReplicationLinkTest : public ::testing::Test {
 protected:
  ReplicationLinkTest() {
    const sockaddr_in address = loopback(0);
    EXPECT_EQ(bind(door_.descriptor(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(door_.descriptor(), 4), 0);
    connect();
  }

  // The replica comes, for the first time or again.
  void connect() {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    EXPECT_EQ(getsockname(door_.descriptor(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    const sockaddr_in way = loopback(link.open(ntohs(address.sin_port)));
    const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(::connect(descriptor, reinterpret_cast<const sockaddr*>(&way), sizeof way), 0);
    replica = std::make_unique<Socket>(descriptor);
    EXPECT_TRUE(comes_true([&] { return link.is_connected(); }));
    int accepted = -1;
    EXPECT_TRUE(comes_true([&] {
      accepted = accepted >= 0 ? accepted : accept(door_.descriptor(), nullptr, nullptr);
      return accepted >= 0;
    }));
    primary = std::make_unique<Socket>(accepted);
  }
  template <typename Condition>
  bool comes_true(Condition condition) {
    for (int tries = 0; tries < 1000 && !condition(); ++tries) {
      link.pump(10);
    }
    return condition();
  }
  // Until the link has taken it.
  void replica_says(const std::string& bytes) {
    const std::int64_t before = link.said();
    replica->say(bytes);
    EXPECT_TRUE(comes_true([&] { return link.said() == before + std::ssize(bytes); }));
  }
  void expect_nothing_passes() {
    for (int tries = 0; tries < 20; ++tries) {
      link.pump(0);
    }
    EXPECT_EQ(primary->heard(), "");
    EXPECT_EQ(replica->heard(), "");
  }
  static std::string acknowledgement(std::int64_t offset) {
    return to_resp(redis::make_command("REPLCONF", "ACK", offset));
  }

  ReplicationLink link;
  std::unique_ptr<Socket> primary;
  std::unique_ptr<Socket> replica;

 private:
  Socket door_{socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
};

const std::string question = to_resp(redis::make_command("REPLCONF", "GETACK", "*"));
const std::string write = to_resp(redis::make_command("SET", "k", "v"));

TEST_F(ReplicationLinkTest, EverythingPassesWhileTheReplicaIsSynchronised) {
  primary->say("all that I have");
  EXPECT_TRUE(comes_true([&] { return replica->heard() == "all that I have"; }));
  replica->say("thanks");
  EXPECT_TRUE(comes_true([&] { return primary->heard() == "thanks"; }));
}

TEST_F(ReplicationLinkTest, TheStreamPassesAsFarAsItIsReleased) {
  link.hold_from(100);
  primary->say(write + write);
  expect_nothing_passes();
  link.release(100 + std::ssize(write));
  EXPECT_TRUE(comes_true([&] { return replica->heard() == write; }));
  link.release(100);  // what has passed stays
  link.release(100 + 2 * std::ssize(write));
  EXPECT_TRUE(comes_true([&] { return replica->heard() == write + write; }));
}

TEST_F(ReplicationLinkTest, AQuestionIsAboutWhatCameBeforeItAndKnownOnceItIsGiven) {
  link.hold_from(100);
  primary->say(write + question + write);
  expect_nothing_passes();
  EXPECT_EQ(link.asked(), std::nullopt);
  // In two pieces, of which the first ends within the question.
  link.release(100 + std::ssize(write) + 5);
  EXPECT_TRUE(comes_true([&] { return replica->heard() == write + question.substr(0, 5); }));
  EXPECT_EQ(link.asked(), std::nullopt);
  link.release(1000);
  EXPECT_TRUE(comes_true([&] { return replica->heard() == write + question + write; }));
  EXPECT_EQ(link.asked(), 100 + std::ssize(write));
}

TEST_F(ReplicationLinkTest, WhatAReplicaSaidIsKnownByTheEndOfEachAcknowledgement) {
  link.hold_from(100);
  const std::string first = acknowledgement(100);
  const std::string both = first + acknowledgement(127);
  replica_says(both.substr(0, first.size() - 1));
  EXPECT_EQ(link.said_offset(), std::nullopt);
  replica_says(both.substr(first.size() - 1));
  EXPECT_EQ(link.said_offset(), 127);
  EXPECT_EQ(link.offset_said_by(std::ssize(first) - 1), std::nullopt);
  EXPECT_EQ(link.offset_said_by(std::ssize(first)), 100);
  EXPECT_EQ(link.offset_said_by(std::ssize(both) - 1), 100);
  EXPECT_EQ(link.offset_said_by(std::ssize(both)), 127);
  expect_nothing_passes();
}

TEST_F(ReplicationLinkTest, WhatThePrimaryMayHearIsNotTakenBack) {
  link.hold_from(100);
  const std::string first = acknowledgement(100);
  link.release_said(2 * std::ssize(first));
  link.release_said(std::ssize(first));  // what was released later may be heard of earlier
  replica_says(first + first + first);
  EXPECT_TRUE(comes_true([&] { return primary->heard() == first + first; }));
}

TEST_F(ReplicationLinkTest, AReplicaThatComesAgainStartsOver) {
  link.hold_from(100);
  primary->say(question + write);
  link.release(100 + std::ssize(question));
  EXPECT_TRUE(comes_true([&] { return replica->heard() == question; }));
  replica_says(acknowledgement(100) + "*3\r\n$8\r\nREPL");  // and breaks off
  connect();
  primary->say("all that I have");
  EXPECT_TRUE(comes_true([&] { return replica->heard() == "all that I have"; }));
  link.hold_from(0);
  EXPECT_EQ(link.asked(), std::nullopt);
  EXPECT_EQ(link.said(), 0);
  replica_says(write + write);  // more than it had said when it last told its offset
  EXPECT_EQ(link.said_offset(), std::nullopt);
  replica_says(acknowledgement(7));
  EXPECT_EQ(link.said_offset(), 7);
}

}  // namespace replication_link_test
}  // namespace holdfast::live
