// Which commands there are: name, number of words, and what the server must know before it runs one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "harness/stores/redis/model/call.h"

namespace holdfast::redis {

enum class CommandFlag : std::uint8_t {
  none = 0,
  write = 1,            // refused by a replica
  no_script = 2,        // refused to redis.call
  not_queued = 4,       // runs at once inside MULTI
  in_subscription = 8,  // allowed on a RESP2 connection that has subscribed
  walks_keys = 16       // looks at all of them
};

constexpr CommandFlag operator|(CommandFlag left, CommandFlag right) {
  return static_cast<CommandFlag>(static_cast<unsigned>(left) | static_cast<unsigned>(right));
}

struct CommandInfo {
  std::string_view name;  // lower case
  int arity;              // words, the name included; negative: at least as many
  CommandFlag flags;
  Handler handler;

  bool has(CommandFlag flag) const {
    return (static_cast<unsigned>(flags) & static_cast<unsigned>(flag)) != 0;
  }
  bool takes(std::size_t words) const {
    return arity >= 0 ? words == static_cast<std::size_t>(arity) : words >= static_cast<std::size_t>(-arity);
  }
};

// Without regard to case; null when there is no such command.
const CommandInfo* find_command(std::string_view name);

}  // namespace holdfast::redis
