// The client of `live` on a real redis-server: answers, timeouts, broken connections, channels, and real
// time.
#include "harness/stores/redis/server/live_client.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <memory>

#include "harness/kernel/random_strategy.h"
#include "harness/live/client/real_time.h"
#include "harness/machine/process/temporary_directory.h"
#include "harness/stores/redis/server/redis_server.h"
#include "locks/catalog.h"
#include "locks/lookup/lookup.h"

namespace holdfast::live {
namespace live_client_test {

// Listens and never answers.
class SilentServer {
 public:
  SilentServer() : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(descriptor_, reinterpret_cast<sockaddr*>(&address), size), 0);
    listen(descriptor_, 8);
    getsockname(descriptor_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  SilentServer(const SilentServer&) = delete;
  SilentServer& operator=(const SilentServer&) = delete;
  ~SilentServer() { close(descriptor_); }
  std::uint16_t port() const { return port_; }

 private:
  int descriptor_;
  std::uint16_t port_ = 0;
};

// A process with one thread and its client, on real time.
struct Process {
  explicit Process(std::uint16_t port, Duration timeout = 5s) : Process({"127.0.0.1", port}, timeout, {}) {}
  // `greeting` as for a Gateway.
  Process(const Endpoint& endpoint, Duration timeout, const std::string& greeting)
      : calls(kernel, network, steps) {
    kernel.reset(random);
    process = kernel.add_process("c1");
    const ProcessId server = kernel.add_process("redis");
    steps.reset(kernel.process_count());
    network.reset({Duration::zero(), Duration::zero(), 1});
    calls.reset();
    env = std::make_unique<Env>(kernel, steps, process, 1);
    gateway = std::make_unique<RedisGateway>(calls, poller, std::vector{endpoint}, greeting);
    auto made = std::make_unique<LiveClient>(
        LiveClientSetup{*env, calls, server, *gateway, poller, endpoint, greeting, timeout});
    client = made.get();
    stores.reset(redis::Client::store_id);
    stores.add(std::move(made));
    time = std::make_unique<RealTime>(kernel, process, poller);
  }
  ~Process() { kernel.stop(); }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Runs the thread to its end.
  void run(Task<> body) {
    kernel.spawn(process, std::move(body));
    while (kernel.foreground_count() > 0) {
      time->run_due();
      if (kernel.foreground_count() > 0) {
        time->wait();
      }
    }
  }
  redis::Answer ask(redis::Command command) {
    redis::Answer answer;
    run(ask_into(*client, std::move(command), answer));
    return answer;
  }
  static Task<> ask_into(redis::Client& client, redis::Command command, redis::Answer& answer) {
    answer = co_await client.execute(std::move(command));
  }

  RandomStrategy random;
  Steps steps;
  Poller poller;
  Kernel kernel;
  redis::RedisCalls calls;
  Network network{kernel};
  ProcessId process{};
  std::unique_ptr<Env> env;
  std::unique_ptr<RedisGateway> gateway;
  LiveClient* client = nullptr;
  StoreClients stores;
  std::unique_ptr<RealTime> time;
};

class LiveClientTest : public ::testing::Test {
 protected:
  LiveClientTest() : server({.directory = directory.path(), .listens = true, .settings = {}}) {}
  std::uint16_t port() const { return static_cast<std::uint16_t>(server.port()); }

  TemporaryDirectory directory;
  RedisServer server;
};

TEST_F(LiveClientTest, AsksAndIsAnsweredOnOneConnection) {
  Process me(port());
  EXPECT_TRUE(me.ask(redis::make_command("SET", "k", "v", "NX", "PX", 10000)).is_ok());
  EXPECT_TRUE(me.ask(redis::make_command("SET", "k", "w", "NX")).is_nil());
  EXPECT_TRUE(me.ask(redis::make_command("GET", "k")).is("v"));
  EXPECT_TRUE(me.ask(redis::make_command("NONSENSE")).threw());
  EXPECT_EQ(me.gateway->connection_count(), 1U);
}

TEST_F(LiveClientTest, ABrokenConnectionIsAnErrorAndTheNextCommandConnectsAnew) {
  Process me(port());
  EXPECT_TRUE(me.ask(redis::make_command("PING")).reply.text == "PONG");
  server.kill();
  EXPECT_TRUE(me.ask(redis::make_command("PING")).failed());
  EXPECT_EQ(me.ask(redis::make_command("PING")).error, CallError::refused);
  server.start();
  EXPECT_FALSE(me.ask(redis::make_command("PING")).failed());
}

TEST_F(LiveClientTest, AMessageWakesWhoSubscribed) {
  Process me(port());
  Process other(port());
  redis::Mailbox mailbox(*me.env, *me.client);
  const auto subscribe = [](redis::Client& client, redis::Mailbox& news) -> Task<> {
    EXPECT_FALSE((co_await client.subscribe("news", news)).threw());
  };
  me.run(subscribe(*me.client, mailbox));
  EXPECT_TRUE(other.ask(redis::make_command("PUBLISH", "news", "said")).is(1));
  const auto wait = [](Env& env, redis::Mailbox& news) -> Task<> {
    EXPECT_TRUE(co_await news.arrival(env.monotonic() + 5s));
  };
  me.run(wait(*me.env, mailbox));
  EXPECT_EQ(mailbox.take(), "said");
}

TEST_F(LiveClientTest, SubscribesAgainAfterTheConnectionBroke) {
  Process me(port());
  Process other(port());
  redis::Mailbox mailbox(*me.env, *me.client);
  const auto subscribe = [](redis::Client& client, redis::Mailbox& news) -> Task<> {
    EXPECT_FALSE((co_await client.subscribe("news", news)).threw());
  };
  me.run(subscribe(*me.client, mailbox));
  EXPECT_TRUE(other.ask(redis::make_command("CLIENT", "KILL", "TYPE", "pubsub")).is(1));
  const auto sleep = [](Env& env) -> Task<> { co_await env.sleep(50ms); };
  for (int tries = 0; tries < 100 && !other.ask(redis::make_command("PUBLISH", "news", "0")).is(1); ++tries) {
    me.run(sleep(*me.env));
  }
  const auto wait = [](Env& env, redis::Mailbox& news) -> Task<> {
    EXPECT_TRUE(co_await news.arrival(env.monotonic() + 5s));
  };
  me.run(wait(*me.env, mailbox));
}

TEST_F(LiveClientTest, LocksOfTheCatalogRunOnItUnchanged) {
  for (const char* id : {"redis-px-cad", "redisson-rlock", "redisson-fenced", "redis-hash-reentrant"}) {
    Process me(port());
    LockSettings settings;
    settings.key = id;
    settings.ttl = 1s;
    const std::unique_ptr<Lock> lock = find_lock(id)->make(settings);
    Caller caller{*me.env, me.stores};
    const auto cycle = [](Lock& its_lock, Caller& its_caller) -> Task<> {
      EXPECT_TRUE((co_await its_lock.acquire(its_caller, {})).ok());
      EXPECT_TRUE((co_await its_lock.release(its_caller, LockMode::exclusive)).ok());
    };
    me.run(cycle(*lock, caller));
    EXPECT_TRUE(me.ask(redis::make_command("EXISTS", id)).is(0)) << id;
  }
}

TEST_F(LiveClientTest, LogsInOnEveryConnectionBeforeItAsksAnything) {
  const TemporaryDirectory other;
  const RedisServer closed(
      {.directory = other.path(), .listens = true, .password = "secret", .settings = {}});
  Process stranger(static_cast<std::uint16_t>(closed.port()));
  EXPECT_TRUE(stranger.ask(redis::make_command("GET", "k")).threw());
  // By its unix socket.
  Process friendly({.host = closed.socket()}, 5s, redis_greeting("secret"));
  EXPECT_TRUE(friendly.ask(redis::make_command("SET", "k", "v")).is_ok());
  redis::Mailbox mailbox(*friendly.env, *friendly.client);
  const auto subscribe = [](redis::Client& client, redis::Mailbox& news) -> Task<> {
    EXPECT_FALSE((co_await client.subscribe("news", news)).threw());
  };
  friendly.run(subscribe(*friendly.client, mailbox));
  EXPECT_TRUE(friendly.ask(redis::make_command("PUBLISH", "news", "x")).is(1));
}

TEST(LiveClientAlone, GivesUpAfterItsTimeout) {
  const SilentServer silent;
  Process me(silent.port(), 50ms);
  EXPECT_EQ(me.ask(redis::make_command("PING")).error, CallError::timeout);
}

// Connecting may take longer than the answer may: on a machine with much to do nobody would ever be answered.
TEST(LiveClientAlone, KeepsAConnectionReadyOnceItHadToGiveOneUp) {
  const SilentServer silent;
  Process me(silent.port(), 10ms);
  me.gateway->open();
  EXPECT_EQ(me.gateway->connection_count(), 1U);
  for (int tries = 0; tries < 4; ++tries) {
    EXPECT_EQ(me.ask(redis::make_command("PING")).error, CallError::timeout);
    EXPECT_EQ(me.gateway->connection_count(), tries == 0 ? 1U : 2U);
  }
}

TEST(RealTimeAlone, SleepsForAsLongAsItWasToldAndShowsRealClocks) {
  Process me(1);
  const auto sleep = [](Env& env) -> Task<> { co_await env.sleep(30ms); };
  const Duration before = me.env->monotonic();
  me.run(sleep(*me.env));
  EXPECT_GE(me.env->monotonic() - before, 30ms);
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  EXPECT_LT(std::chrono::abs(wall - me.env->wall()), 10s);
}

}  // namespace live_client_test
}  // namespace holdfast::live
