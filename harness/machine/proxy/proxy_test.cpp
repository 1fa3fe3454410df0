// A proxy before an echo server that speaks in lines: what gets through, when, and what the two ends notice.
#include "harness/machine/proxy/proxy.h"

#include <gmock/gmock.h>

#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <map>
#include <string>

#include "harness/kernel/require.h"
#include "harness/machine/proxy/test_proxy.h"

namespace holdfast::live::proxy_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

TEST_F(ProxyTest, ACutLosesWhatIsDelayedThoughItIsMendedBefore) {
  proxy.add_delay(Direction::to_server, 50ms);
  watch = [&](Direction, const WireMessage& message) {
    if (message.text == "delayed") {
      boost::asio::post(context, [&] {  // as soon as it is on its way
        proxy.cut(Direction::to_server);
        proxy.mend(Direction::to_server);
      });
    }
  };
  const auto client = connect();
  say(*client, "delayed");
  run_for_a_while();
  say(*client, "after");
  EXPECT_TRUE(becomes_true([&] { return !client->lines.empty(); }));
  EXPECT_THAT(lines_at_server(), ElementsAre("after"));
}

TEST_F(ProxyTest, WhatACutLosesIsNotWaitedForWhenItsClientLeaves) {
  const auto client = connect();
  proxy.hold(Direction::to_server);
  say(*client, "held");
  run_for_a_while();
  proxy.cut(Direction::to_server);
  client->socket.close();
  EXPECT_TRUE(becomes_true([&] { return !served.empty() && served.front()->ended; }));
}

// As a link of the kernel's network does it.
TEST_F(ProxyTest, WhatACutLosesIsTheNextMessageToLose) {
  const auto client = connect();
  proxy.lose_next(Direction::to_server);
  proxy.cut(Direction::to_server);
  say(*client, "cut");
  run_for_a_while();
  proxy.mend(Direction::to_server);
  say(*client, "after");
  EXPECT_TRUE(becomes_true([&] { return !client->lines.empty(); }));
  EXPECT_THAT(lines_at_server(), ElementsAre("after"));
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
  watch = [&](Direction direction, const WireMessage&) {
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

TEST_F(ProxyTest, WhatIsForTheNextMessagePassesOverNoise) {
  const auto client = connect();
  proxy.lose_next(Direction::to_server);
  proxy.delay_next(Direction::to_client, 1h);
  say(*client, "ping");
  EXPECT_TRUE(becomes_true([&] { return client->lines.size() == 1; }));
  EXPECT_THAT(client->lines, ElementsAre("echo ping"));
  say(*client, "lost");
  say(*client, "late");
  say(*client, "ping again");
  EXPECT_TRUE(becomes_true([&] { return client->lines.size() == 2; }));
  EXPECT_THAT(client->lines, ElementsAre("echo ping", "echo ping again"));
  EXPECT_THAT(lines_at_server(), ElementsAre("ping", "late", "ping again"));
}

TEST_F(ProxyTest, ACutLosesNoiseLikeEverythingElse) {
  const auto client = connect();
  proxy.cut(Direction::to_server);
  say(*client, "ping");
  run_for_a_while();
  EXPECT_THAT(lines_at_server(), IsEmpty());
}

TEST_F(ProxyTest, AServerMaySpeakFirstAndUnasked) {
  std::vector<std::string> pushed;
  watch = [&](Direction, const WireMessage& message) {
    if (message.kind == MessageKind::push) {
      pushed.push_back(message.text);
    }
  };
  watch_server = [](tcp::socket& socket) {
    boost::asio::write(socket, boost::asio::buffer(std::string("news of today\n")));
  };
  const auto client = connect();
  EXPECT_TRUE(becomes_true([&] { return client->lines.size() == 1; }));
  EXPECT_THAT(client->lines, ElementsAre("news of today"));
  EXPECT_THAT(pushed, ElementsAre("news of today"));
}

TEST_F(ProxyTest, GreetsTheServerAndKeepsItsAnswerToItself) {
  std::vector<std::string> seen;
  const Proxy greeting(context,
                       {.make_wire = [] { return std::make_unique<LineWire>("password\n"); },
                        .target = [this] { return std::optional(server.local_endpoint()); },
                        .watch = [&](Direction, const WireMessage& message) { seen.push_back(message.text); },
                        .complain = {}});
  tcp::socket socket(context);
  socket.connect({boost::asio::ip::address_v4::loopback(), greeting.port()});
  const auto client = std::make_shared<Ear>(std::move(socket));
  Ear::listen(client, false);
  say(*client, "one");
  EXPECT_TRUE(becomes_true([&] { return client->lines.size() == 1; }));
  EXPECT_THAT(lines_at_server(), ElementsAre("password", "one"));
  EXPECT_THAT(client->lines, ElementsAre("echo one"));
  EXPECT_THAT(seen, ElementsAre("one", "echo one"));
}

TEST_F(ProxyTest, LetsNobodyTakeBackWhatWasNotOrdered) {
  EXPECT_THROW(proxy.let_go(Direction::to_server), BrokenInvariant);
  EXPECT_THROW(proxy.mend(Direction::to_server), BrokenInvariant);
  EXPECT_THROW(proxy.add_delay(Direction::to_server, -1ms), BrokenInvariant);
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

TEST_F(ProxyTest, WhatAClientSentArrivesThoughNoAnswerCanReachItAnyMore) {
  const auto client = connect();
  proxy.hold(Direction::to_client);
  say(*client, "one");
  EXPECT_TRUE(becomes_true([&] { return lines_at_server().size() == 1; }));
  run_for_a_while();
  proxy.hold(Direction::to_server);
  say(*client, "last words");
  run_for_a_while();
  client->socket.set_option(boost::asio::socket_base::linger(true, 0));
  client->socket.close();
  run_for_a_while();
  proxy.let_go(Direction::to_client);
  run_for_a_while();
  proxy.let_go(Direction::to_server);
  EXPECT_TRUE(becomes_true([&] { return lines_at_server().size() == 2; }));
}

// More than the operating system keeps for it.
TEST_F(ProxyTest, WhatAClientSentArrivesThoughItIsGoneBeforeTheServerReads) {
  tcp::acceptor slow_server(context, {boost::asio::ip::address_v4::loopback(), 0});
  const Proxy before_it(context, {.make_wire = lines_wire(),
                                  .target = [&] { return std::optional(slow_server.local_endpoint()); },
                                  .watch = {},
                                  .complain = {}});
  std::string said;
  while (said.size() < 20'000'000) {
    said += std::string(60'000, 'x') + "\n";
  }
  tcp::socket client(context);
  client.connect({boost::asio::ip::address_v4::loopback(), before_it.port()});
  bool is_said = false;
  boost::asio::async_write(client, boost::asio::buffer(said),
                           [&](const Problem&, std::size_t) { is_said = true; });
  EXPECT_TRUE(becomes_true([&] { return is_said; }));
  client.close();
  run_for_a_while();
  tcp::socket server_end = slow_server.accept();
  std::string heard;
  bool ended = false;
  boost::asio::async_read(server_end, boost::asio::dynamic_buffer(heard),
                          [&](const Problem&, std::size_t) { ended = true; });
  EXPECT_TRUE(becomes_true([&] { return ended; }));
  EXPECT_EQ(heard.size(), said.size());
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

TEST_F(ProxyTest, ATargetThatTakesNoConnectionIsTold) {
  std::vector<std::string> problems;
  server.close();
  const Proxy astray(context,
                     {.make_wire = lines_wire(),
                      .target = [] { return tcp::endpoint(boost::asio::ip::address_v4::loopback(), 1); },
                      .watch = {},
                      .complain = {},
                      .unreachable = [&](const Problem& problem) { problems.push_back(problem.message()); }});
  tcp::socket client(context);
  client.connect({boost::asio::ip::address_v4::loopback(), astray.port()});
  EXPECT_TRUE(becomes_true([&] { return !problems.empty(); }));
  EXPECT_THAT(problems, ElementsAre("Connection refused"));
}

TEST_F(ProxyTest, OneConnectionIsResetAndTheOthersGoOn) {
  std::map<std::string, std::uint32_t> number_of;
  watch = [&](Direction, const WireMessage& message) { number_of[message.text] = message.connection; };
  const auto client = connect();
  const auto other = connect();
  say(*client, "one");
  say(*other, "two");
  EXPECT_TRUE(becomes_true([&] { return !client->lines.empty() && !other->lines.empty(); }));
  proxy.reset_connection(number_of["one"]);
  EXPECT_TRUE(becomes_true([&] { return client->was_reset; }));
  say(*other, "three");
  EXPECT_TRUE(becomes_true([&] { return other->lines.size() == 2; }));
}

TEST_F(ProxyTest, AConnectionBreaksWithTheNextMessageWhichIsLost) {
  for (const Breaking breaking : {Breaking::its_connection, Breaking::all_connections}) {
    served.clear();
    const auto client = connect();
    const auto other = connect();
    say(*client, "one");
    say(*other, "two");
    EXPECT_TRUE(becomes_true([&] { return !client->lines.empty() && !other->lines.empty(); }));
    proxy.break_next(Direction::to_server, breaking);
    say(*client, "ping");
    EXPECT_TRUE(becomes_true([&] { return client->lines.size() == 2; })) << "noise breaks nothing";
    say(*client, "lost");
    EXPECT_TRUE(becomes_true([&] { return client->was_reset; }));
    run_for_a_while();
    EXPECT_EQ(other->was_reset, breaking == Breaking::all_connections);
    EXPECT_THAT(lines_at_server(), ::testing::Not(::testing::Contains("lost")));
    const auto again = connect();
    say(*again, "three");
    EXPECT_TRUE(becomes_true([&] { return again->lines.size() == 1; })) << "it strikes once";
  }
}

TEST_F(ProxyTest, NonsenseOfAServerIsASentenceThatNamesIt) {
  watch_server = [](tcp::socket& socket) {
    boost::asio::write(socket, boost::asio::buffer(std::string(100'000, 'x')));
  };
  const Proxy named(context,
                    {.make_wire = lines_wire(),
                     .target = [this] { return server.local_endpoint(); },
                     .watch = {},
                     .complain = [this](const std::string& sentence) { complaints.push_back(sentence); },
                     .server_name = "redis server 2"});
  tcp::socket client(context);
  client.connect({boost::asio::ip::address_v4::loopback(), named.port()});
  EXPECT_TRUE(becomes_true([&] { return !complaints.empty(); }));
  EXPECT_THAT(complaints, ElementsAre("redis server 2: a line without an end came over a connection."));
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

}  // namespace holdfast::live::proxy_test
