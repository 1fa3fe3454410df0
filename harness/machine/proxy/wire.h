// What passes through a proxy, message by message. Each store reads its own protocol.
//
// A Wire reads one connection, both directions, from the first byte to the last, and remembers what it has
// to: who speaks first, which request an answer belongs to, whether the connection has subscribed to
// something. Every message is a request of the client's, the server's answer to one, a push that nobody asked
// for, or noise, which is none of a lock's business: a handshake, a ping, the rest of a stream. Faults and
// steps count requests and answers, never noise.
//
// A Wire reads what was sent, whatever becomes of it: a client that waits for the answer to a lost request
// in vain gives its connection up, as client libraries do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::live {

enum class Direction : std::uint8_t { to_server, to_client };

enum class MessageKind : std::uint8_t { request, answer, push, noise };

struct WireMessage {
  std::size_t length = 0;  // of its bytes
  MessageKind kind = MessageKind::noise;
  // Of a request and its answer, what steps call it, in the spelling of scenarios whatever the client's is;
  // of a push, what it is about (a channel).
  std::string name = {};
  std::string text = {};   // of a request and an answer, as a story tells it; of a push, its payload
  std::string asked = {};  // of an answer: the text of its request
  // Why the server cannot go on, for a sentence that begins with its name: "cannot write to its disk …".
  std::string trouble = {};
  // Answers the greeting, so the client is not to see it.
  bool is_for_the_proxy = false;
  std::uint32_t connection = 0;  // set by the proxy, which counts its connections from 1
};

class Wire {
 public:
  Wire() = default;
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;
  virtual ~Wire() = default;

  // What the proxy says to the server before anything that the client says (a password); empty: nothing.
  virtual std::string greeting() const { return {}; }

  // The first message in `bytes`, which are all that came in this direction and were part of none so far;
  // nothing: it is not all there, and its bytes come again with more behind them. Throws LiveError on what is
  // not its protocol; it is not fed again then.
  virtual std::optional<WireMessage> feed(Direction direction, std::string_view bytes) = 0;
};

// For each connection one.
using MakeWire = std::function<std::unique_ptr<Wire>()>;

// For a stream that nobody looks into, such as replication: whatever has come is a message.
class AnyBytes final : public Wire {
 public:
  std::optional<WireMessage> feed(Direction, std::string_view bytes) override {
    return bytes.empty() ? std::nullopt : std::optional(WireMessage{.length = bytes.size()});
  }
};

}  // namespace holdfast::live
