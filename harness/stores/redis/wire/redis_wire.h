// A connection to a Redis server, as a proxy sees it: answers in the order of their requests.
//
// A connection that has subscribed to channels also gets their messages, which are pushes; in RESP2 only
// state tells them from an answer that happens to look the same, in RESP3 (HELLO 3) they say that they are.
#pragma once

#include <array>
#include <deque>
#include <functional>

#include "harness/machine/proxy/wire.h"
#include "harness/stores/redis/wire/resp.h"

namespace holdfast::live {

struct RedisWireOptions {
  std::string password = {};  // said first, in the client's place; empty: none
  // Told of every request, before its name is known to anybody else.
  std::function<void(const redis::Command& command)> heard = {};
};

class RedisWire final : public Wire {
 public:
  explicit RedisWire(RedisWireOptions options = {});

  std::string greeting() const override;
  std::optional<WireMessage> feed(Direction direction, std::string_view bytes) override;

 private:
  struct Asked {
    MessageKind kind = MessageKind::request;
    std::string name;
    std::string text;
    // Still to come: one for each channel, and the first is the answer. 0: one for each that is subscribed to
    // when the first of them comes.
    std::size_t confirmations = 1;
    bool is_answered = false;
  };

  WireMessage request(std::string_view message);
  WireMessage answer(const redis::Reply& reply, bool says_it_is_a_push);
  WireMessage answer_to_first(const redis::Reply& reply);
  void count_subscriptions(const redis::Reply& confirmation);

  RedisWireOptions options_;
  std::array<RespScanner, 2> scanners_;
  std::deque<Asked> waiting_;  // for their answers
  bool awaits_greeting_;
  // Of the connection, as the server counts them: channels, patterns, channels of shards.
  std::array<std::int64_t, 3> subscriptions_{};
};

}  // namespace holdfast::live
