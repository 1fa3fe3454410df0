// What a lock sees of Redis: commands and their answers, and channels.
//
// One Client is one thread's connection to one (logical) server. After a failover it reaches the new
// primary by itself, as a client behind Sentinel does. In `sim` and `warp` it is carried by the kernel's
// network; in `live` by hiredis.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "harness/env/call_error.h"
#include "harness/env/env.h"
#include "harness/kernel/task.h"
#include "harness/kernel/wait.h"
#include "harness/stores/redis/command.h"
#include "harness/stores/redis/reply.h"
#include "harness/stores/store_client.h"

namespace holdfast::redis {

// A reply, or the reason why there is none.
struct Answer {
  CallError error = CallError::none;
  Reply reply;

  // No answer: what the server did is unknown. A Java client would throw a connection or timeout
  // exception here.
  bool failed() const { return error != CallError::none; }
  // No answer, or the server said -ERR: any case in which a Java client would throw.
  bool threw() const { return failed() || reply.is_error(); }
  std::string problem() const { return failed() ? std::string(to_text(error)) : reply.text; }

  bool is_ok() const { return !failed() && reply.is_ok(); }
  bool is_nil() const { return !failed() && reply.is_nil(); }
  bool is(std::int64_t number) const { return !failed() && reply.is_integer(number); }
  bool is(std::string_view text) const { return !failed() && reply.is_bulk(text); }
};

// A message of a channel, for one who has subscribed to it.
struct ChannelMessage {
  std::string channel;
  std::string payload;
};

class Mailbox;

class Client : public StoreClient {
 public:
  static constexpr std::string_view store_id = "redis";

  // co_await redis.command("SET", key, id, "NX", "PX", 10000)
  template <typename... Words>
  Task<Answer> command(const Words&... words) {
    return execute(make_command(words...));
  }
  virtual Task<Answer> execute(Command command) = 0;
  // The same with another patience than the connection's usual command timeout.
  virtual Task<Answer> execute_within(Command command, Duration timeout) = 0;

  // Subscribes to a channel, whose messages arrive in the mailbox from then on. Answers whether the server
  // confirmed it.
  virtual Task<Answer> subscribe(std::string channel, Mailbox& mailbox) = 0;
  virtual Task<Answer> unsubscribe(std::string channel, Mailbox& mailbox) = 0;
  // To how many replicas of its server the client's library is connected now, which some of them are, besides
  // the primary. Asking costs no command that a lock or a fault could see.
  virtual Task<std::int64_t> replicas() = 0;
  // The mailbox is going away, perhaps because its thread died while waiting.
  virtual void forget(const Mailbox& mailbox) noexcept = 0;
};

// Where messages arrive while a thread waits for them. Goes with the waiting frame, also when the thread
// dies.
class Mailbox {
 public:
  Mailbox(const Env& env, Client& client) : arrivals_(env.make_semaphore(0)), client_(client) {}
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  ~Mailbox() { client_.forget(*this); }

  // co_await mailbox.arrival(deadline): whether a message came before my monotonic clock shows that.
  Semaphore::Acquire arrival(std::optional<Duration> monotonic_deadline = std::nullopt) {
    return arrivals_.acquire(monotonic_deadline);
  }
  // What the oldest says that has arrived and was not taken yet.
  std::string take() {
    require(!messages_.empty(), "a message is taken after it has arrived");
    std::string message = std::move(messages_.front());
    messages_.pop_front();
    return message;
  }
  bool is_empty() const { return messages_.empty(); }

  // For clients.
  void deliver(std::string message) {
    messages_.push_back(std::move(message));
    arrivals_.release();
  }

 private:
  Semaphore arrivals_;
  std::deque<std::string> messages_;
  Client& client_;
};

}  // namespace holdfast::redis
