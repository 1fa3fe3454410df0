// A proxy that has to carry more than it can: it says so in one sentence, and before it has taken all memory.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "harness/machine/proxy/test_proxy.h"

namespace holdfast::live::proxy_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Each way in which a message can wait: held, delayed, and unread by its receiver.
class OverloadedProxyTest : public ProxyTest {
 protected:
  OverloadedProxyTest()
      : small(context, {.make_wire = lines_wire(),
                        .target = [this] { return std::optional(server.local_endpoint()); },
                        .watch = {},
                        .complain = [this](const std::string& sentence) { complaints.push_back(sentence); },
                        .most_waiting_bytes = 1000,
                        .most_connections = 2}) {}

  tcp::socket connect_to_small() {
    tcp::socket socket(context);
    socket.connect({boost::asio::ip::address_v4::loopback(), small.port()});
    return socket;
  }
  void expect_too_many_bytes() {
    EXPECT_TRUE(becomes_true([&] { return !complaints.empty(); }));
    EXPECT_THAT(complaints, ElementsAre("the proxy is overloaded: more than 1000 bytes wait in it to be "
                                        "delivered; use fewer or slower clients."));
  }
  static std::string lines(std::size_t count) {
    std::string text;
    for (std::size_t number = 0; number < count; ++number) {
      text += "nine more\n";
    }
    return text;
  }

  Proxy small;
};

TEST_F(OverloadedProxyTest, HoldsBackSoMuchAndNoMore) {
  small.hold(Direction::to_server);
  tcp::socket client = connect_to_small();
  boost::asio::write(client, boost::asio::buffer(lines(100)));
  run_for_a_while();
  EXPECT_THAT(complaints, IsEmpty());
  boost::asio::write(client, boost::asio::buffer(lines(1)));
  expect_too_many_bytes();
}

TEST_F(OverloadedProxyTest, DelaysSoMuchAndNoMore) {
  small.add_delay(Direction::to_server, 1h);
  tcp::socket client = connect_to_small();
  boost::asio::write(client, boost::asio::buffer(lines(101)));
  expect_too_many_bytes();
}

TEST_F(OverloadedProxyTest, KeepsSoMuchForAClientThatDoesNotRead) {
  // More than the operating system keeps for it.
  watch_server = [&](tcp::socket& socket) {
    socket.async_send(boost::asio::buffer(flood), [](const Problem&, std::size_t) {});
  };
  flood = lines(2'000'000);
  const tcp::socket client = connect_to_small();
  expect_too_many_bytes();
}

TEST_F(OverloadedProxyTest, CountsWhatWaitsAndNotWhatPassed) {
  tcp::socket client = connect_to_small();
  for (int round = 0; round < 5; ++round) {
    boost::asio::write(client, boost::asio::buffer(lines(50)));
    EXPECT_TRUE(
        becomes_true([&] { return lines_at_server().size() == 50U * static_cast<std::size_t>(round + 1); }));
  }
  small.hold(Direction::to_server);
  boost::asio::write(client, boost::asio::buffer(lines(90)));
  run_for_a_while();
  small.cut(Direction::to_server);
  small.mend(Direction::to_server);
  boost::asio::write(client, boost::asio::buffer(lines(90)));
  run_for_a_while();
  EXPECT_THAT(complaints, IsEmpty());
}

TEST_F(OverloadedProxyTest, WhatWasDelayedOnAConnectionThatIsGoneDoesNotWaitAnyMore) {
  small.add_delay(Direction::to_server, 1h);
  for (int round = 0; round < 3; ++round) {
    tcp::socket client = connect_to_small();
    boost::asio::write(client, boost::asio::buffer(lines(60)));
    run_for_a_while();
    small.reset_connections();
    run_for_a_while();
  }
  EXPECT_THAT(complaints, IsEmpty());
}

TEST_F(OverloadedProxyTest, TakesSoManyConnectionsAndNoMore) {
  const tcp::socket one = connect_to_small();
  {
    const tcp::socket other = connect_to_small();
    EXPECT_TRUE(becomes_true([&] { return served.size() == 2; }));
    EXPECT_THAT(complaints, IsEmpty());
  }
  EXPECT_TRUE(becomes_true([&] { return served.back()->ended; }));
  const tcp::socket instead = connect_to_small();
  EXPECT_TRUE(becomes_true([&] { return served.size() == 3; }));
  EXPECT_THAT(complaints, IsEmpty());
  const tcp::socket too_many = connect_to_small();
  EXPECT_TRUE(becomes_true([&] { return !complaints.empty(); }));
  EXPECT_THAT(complaints, ElementsAre(HasSubstr("more than 2 connections")));
}

// All descriptors but so many are in use while it lives.
class FewDescriptors {
 public:
  explicit FewDescriptors(std::size_t left) {
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit few = before_;
    few.rlim_cur = std::min<rlim_t>(few.rlim_cur, 256);
    setrlimit(RLIMIT_NOFILE, &few);
    for (int copy = dup(0); copy >= 0; copy = dup(0)) {
      copies_.push_back(copy);
    }
    for (; left > 0 && !copies_.empty(); --left) {
      close(copies_.back());
      copies_.pop_back();
    }
  }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;
  ~FewDescriptors() {
    for (const int copy : copies_) {
      close(copy);
    }
    setrlimit(RLIMIT_NOFILE, &before_);
  }

 private:
  rlimit before_{};
  std::vector<int> copies_;
};

TEST_F(OverloadedProxyTest, SaysSoWhenThereIsNoDescriptorForAConnection) {
  const FewDescriptors one_left(1);  // for the client's end
  const tcp::socket client = connect_to_small();
  EXPECT_TRUE(becomes_true([&] { return !complaints.empty(); }));
  EXPECT_THAT(complaints,
              ElementsAre("the proxy is overloaded: it cannot take a connection: Too many open files."));
}

}  // namespace holdfast::live::proxy_test
