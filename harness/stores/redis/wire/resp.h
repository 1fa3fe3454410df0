// The Redis protocol (RESP2) as bytes: where a message ends, what it says, how a command is written.
//
// For who reads from a socket: bytes come in pieces, so each function says whether there are enough.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/stores/redis/command.h"
#include "harness/stores/redis/reply.h"

namespace holdfast::live {

// How many bytes the first message (a command or a reply) takes; nothing: it is not all there yet.
// Throws LiveError if this is not RESP2.
std::optional<std::size_t> resp_length(std::string_view bytes);

// Of one whole message.
redis::Reply resp_reply(std::string_view message);
redis::Command resp_command(std::string_view message);

std::string to_resp(const redis::Command& command);

// Not an answer but news of a channel.
bool is_push(const redis::Reply& reply);

}  // namespace holdfast::live
