// A proxy before an echo server that speaks in lines: what gets through, when, and what the two ends notice.
//
// Everything happens on one io_context, which is run for as long as a test waits: real sockets, real time.
#include "harness/machine/proxy/proxy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <memory>
#include <vector>

#include "harness/stores/storage/storage_wire.h"

namespace holdfast::live {
namespace proxy_test {

using boost::asio::ip::tcp;
using Problem = boost::system::error_code;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr auto a_while = std::chrono::milliseconds(60);  // in which what can arrive does
constexpr auto at_the_most = std::chrono::seconds(10);   // a loaded machine is slow

// Collects what comes over a socket.
struct Ear {
  explicit Ear(tcp::socket its_socket) : socket(std::move(its_socket)) {}

  static void listen(const std::shared_ptr<Ear>& self, bool echoes) {
    boost::asio::async_read_until(self->socket, boost::asio::dynamic_buffer(self->inbox), '\n',
                                  [self, echoes](const Problem& problem, std::size_t size) {
                                    self->ended = static_cast<bool>(problem);
                                    self->was_reset = problem == boost::asio::error::connection_reset;
                                    if (problem) {
                                      return;
                                    }
                                    const std::string line = self->inbox.substr(0, size);
                                    self->inbox.erase(0, size);
                                    self->lines.push_back(line.substr(0, size - 1));
                                    if (echoes) {
                                      boost::asio::write(self->socket, boost::asio::buffer("echo " + line));
                                    }
                                    listen(self, echoes);
                                  });
  }

  tcp::socket socket;
  std::string inbox;
  std::vector<std::string> lines;
  bool ended = false;
  bool was_reset = false;
};

class ProxyTest : public ::testing::Test {
 protected:
  ProxyTest()
      : server(context, {boost::asio::ip::address_v4::loopback(), 0}),
        proxy(context,
              {.framing = &line_length,
               .target =
                   [this] { return server_is_there ? std::optional(server.local_endpoint()) : std::nullopt; },
               .watch =
                   [this](Direction direction, std::uint32_t, std::string_view message) {
                     if (watch) {
                       watch(direction, std::string(message));
                     }
                   },
               .complain = [this](const std::string& sentence) { complaints.push_back(sentence); }}) {
    accept();
  }

  void accept() {
    server.async_accept([this](const Problem& problem, tcp::socket socket) {
      if (!problem) {
        served.push_back(std::make_shared<Ear>(std::move(socket)));
        Ear::listen(served.back(), true);
        if (watch_server) {
          watch_server(served.back()->socket);
        }
        accept();
      }
    });
  }

  std::shared_ptr<Ear> connect() {
    tcp::socket socket(context);
    socket.connect({boost::asio::ip::address_v4::loopback(), proxy.port()});
    auto client = std::make_shared<Ear>(std::move(socket));
    Ear::listen(client, false);
    return client;
  }

  static void say(Ear& client, const std::string& line) {
    boost::asio::write(client.socket, boost::asio::buffer(line + "\n"));
  }

  void run_for_a_while() { context.run_for(a_while); }
  template <typename Condition>
  bool becomes_true(Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + at_the_most;
    while (!condition() && std::chrono::steady_clock::now() < deadline) {
      context.run_one_for(std::chrono::milliseconds(10));
    }
    return condition();
  }
  std::vector<std::string> lines_at_server() const {
    std::vector<std::string> all;
    for (const auto& ear : served) {
      all.insert(all.end(), ear->lines.begin(), ear->lines.end());
    }
    return all;
  }

  boost::asio::io_context context;
  tcp::acceptor server;
  std::vector<std::shared_ptr<Ear>> served;
  std::function<void(Direction, const std::string&)> watch;
  std::vector<std::string> complaints;
  std::function<void(tcp::socket&)> watch_server;  // what the server does with a new connection
  std::string flood;
  bool server_is_there = true;
  Proxy proxy;
};

TEST_F(ProxyTest, CarriesMessagesBothWays) {
  const auto client = connect();
  say(*client, "one");
  say(*client, "two");
  EXPECT_TRUE(becomes_true([&] { return client->lines.size() == 2; }));
  EXPECT_THAT(client->lines, ElementsAre("echo one", "echo two"));
}

TEST_F(ProxyTest, HoldsAndLetsGoInOrder) {
  const auto client = connect();
  proxy.hold(Direction::to_server);
  say(*client, "one");
  say(*client, "two");
  run_for_a_while();
  EXPECT_THAT(lines_at_server(), IsEmpty());
  proxy.let_go(Direction::to_server);
  EXPECT_TRUE(becomes_true([&] { return client->lines.size() == 2; }));
  EXPECT_THAT(client->lines, ElementsAre("echo one", "echo two"));
}

TEST_F(ProxyTest, ACutLosesWhatIsSentAndHeldAndTheConnectionLivesOn) {
  const auto client = connect();
  proxy.hold(Direction::to_server);
  say(*client, "held");
  run_for_a_while();
  proxy.cut(Direction::to_server);
  proxy.let_go(Direction::to_server);
  say(*client, "cut");
  run_for_a_while();
  proxy.mend(Direction::to_server);
  say(*client, "after");
  EXPECT_TRUE(becomes_true([&] { return !client->lines.empty(); }));
  EXPECT_THAT(client->lines, ElementsAre("echo after"));
}

TEST_F(ProxyTest, ACutOfRepliesLetsRequestsThrough) {
  const auto client = connect();
  proxy.cut(Direction::to_client);
  say(*client, "one");
  run_for_a_while();
  EXPECT_THAT(lines_at_server(), ElementsAre("one"));
  EXPECT_THAT(client->lines, IsEmpty());
}

TEST_F(ProxyTest, LosesOneReplyWhenAskedAsItPasses) {
  bool is_first = true;
  watch = [&](Direction direction, const std::string&) {
    if (direction == Direction::to_client && std::exchange(is_first, false)) {
      proxy.lose_next(Direction::to_client);
    }
  };
  const auto client = connect();
  say(*client, "one");
  say(*client, "two");
  EXPECT_TRUE(becomes_true([&] { return !client->lines.empty(); }));
  EXPECT_THAT(client->lines, ElementsAre("echo two"));
  EXPECT_THAT(lines_at_server(), ElementsAre("one", "two"));
}

TEST_F(ProxyTest, DelaysEverythingInOrderAlsoWhenTheDelayShrinks) {
  const auto client = connect();
  proxy.add_delay(Direction::to_server, 100ms);
  say(*client, "one");
  run_for_a_while();
  EXPECT_THAT(lines_at_server(), IsEmpty());
  proxy.add_delay(Direction::to_server, -100ms);
  say(*client, "two");
  EXPECT_TRUE(becomes_true([&] { return client->lines.size() == 2; }));
  EXPECT_THAT(lines_at_server(), ElementsAre("one", "two"));
}

TEST_F(ProxyTest, ADelayedMessageIsOvertakenOnAnotherConnection) {
  const auto slow = connect();
  proxy.delay_next(Direction::to_server, 150ms);
  say(*slow, "slow");
  run_for_a_while();
  const auto quick = connect();
  say(*quick, "quick");
  EXPECT_TRUE(becomes_true([&] { return lines_at_server().size() == 2; }));
  EXPECT_TRUE(becomes_true([&] { return slow->lines.size() == 1; }));
  EXPECT_THAT(quick->lines, ElementsAre("echo quick"));
}

TEST_F(ProxyTest, WhatAClientSentArrivesThoughTheClientIsGone) {
  const auto client = connect();
  proxy.delay_next(Direction::to_server, 100ms);
  say(*client, "last words");
  run_for_a_while();
  client->socket.close();
  EXPECT_TRUE(becomes_true([&] { return !lines_at_server().empty(); }));
  EXPECT_THAT(lines_at_server(), ElementsAre("last words"));
  EXPECT_TRUE(becomes_true([&] { return served.front()->ended; }));
}

TEST_F(ProxyTest, AResetIsNoticedByBothEnds) {
  const auto client = connect();
  say(*client, "one");
  EXPECT_TRUE(becomes_true([&] { return client->lines.size() == 1; }));
  proxy.reset_connections();
  EXPECT_TRUE(becomes_true([&] { return client->ended && served.front()->ended; }));
  EXPECT_TRUE(client->was_reset);
  const auto again = connect();
  say(*again, "two");
  EXPECT_TRUE(becomes_true([&] { return again->lines.size() == 1; }));
}

TEST_F(ProxyTest, TheServersEndIsTheClientsReset) {
  const auto client = connect();
  say(*client, "one");
  EXPECT_TRUE(becomes_true([&] { return client->lines.size() == 1; }));
  served.front()->socket.close();
  EXPECT_TRUE(becomes_true([&] { return client->was_reset; }));
}

TEST_F(ProxyTest, NobodyThereIsAReset) {
  server_is_there = false;
  const auto client = connect();
  EXPECT_TRUE(becomes_true([&] { return client->ended; }));
}

// Each way in which a message can wait: held, delayed, and unread by its receiver.
class OverloadedProxyTest : public ProxyTest {
 protected:
  OverloadedProxyTest()
      : small(context, {.framing = &line_length,
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

TEST_F(ProxyTest, ATargetThatTakesNoConnectionIsTold) {
  std::vector<std::string> problems;
  server.close();
  const Proxy astray(context,
                     {.framing = &line_length,
                      .target = [] { return tcp::endpoint(boost::asio::ip::address_v4::loopback(), 1); },
                      .watch = {},
                      .complain = {},
                      .unreachable = [&](const Problem& problem) { problems.push_back(problem.message()); }});
  tcp::socket client(context);
  client.connect({boost::asio::ip::address_v4::loopback(), astray.port()});
  EXPECT_TRUE(becomes_true([&] { return !problems.empty(); }));
  EXPECT_THAT(problems, ElementsAre("Connection refused"));
}

TEST_F(ProxyTest, NonsenseOfAClientEndsItsConnectionAndNothingElse) {
  const auto client = connect();
  const auto other = connect();
  boost::asio::write(client->socket, boost::asio::buffer(std::string(100'000, 'x')));
  boost::system::error_code problem;
  client->socket.non_blocking(true);
  EXPECT_TRUE(becomes_true([&] {
    char byte = 0;
    client->socket.read_some(boost::asio::buffer(&byte, 1), problem);
    return problem == boost::asio::error::connection_reset || problem == boost::asio::error::eof;
  }));
  EXPECT_TRUE(complaints.empty());
  boost::asio::write(other->socket, boost::asio::buffer(std::string("still there\n")));
}

}  // namespace proxy_test
}  // namespace holdfast::live
