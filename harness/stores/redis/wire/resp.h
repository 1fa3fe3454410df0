// The Redis protocol as bytes: where a message ends, what it says, how a command is written. What only RESP3
// has (a map, a set, a double) is read as RESP2 would tell it.
//
// For who reads from a socket: bytes come in pieces, so each function says whether there are enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/stores/redis/command.h"
#include "harness/stores/redis/reply.h"

namespace holdfast::live {

// Finds where messages end in bytes that come piece by piece. Looks at each byte once, keeps nothing of them,
// and refuses what nobody would ever see the end of.
class RespScanner {
 public:
  // How many bytes the first message (a command or a reply) takes, and begins anew; nothing: it is not all
  // there yet, and its bytes are to come again with more behind them. Throws LiveError if this is not RESP.
  std::optional<std::size_t> feed(std::string_view bytes);

 private:
  bool take_element(std::string_view bytes);
  std::optional<std::string_view> take_line(std::string_view bytes);

  std::size_t position_ = 0;           // behind the last whole element
  std::size_t searched_ = 0;           // up to here there is no end of the line that begins at position_
  std::size_t bulk_ = 0;               // bytes of a bulk string that are to come, its end included
  std::vector<std::int64_t> missing_;  // elements of each array that is open, the outermost first
};

// Of the first message in bytes that nobody has looked at before.
std::optional<std::size_t> resp_length(std::string_view bytes);

// Of one whole message.
redis::Reply resp_reply(std::string_view message);
// Nothing: it is not a list of words, as every command is.
std::optional<redis::Command> resp_command(std::string_view message);

std::string to_resp(const redis::Command& command);
// What a connection to a server with this password has to say first; empty: there is none.
std::string redis_greeting(const std::string& password);

// Not an answer but news of a channel.
bool is_push(const redis::Reply& reply);

}  // namespace holdfast::live
