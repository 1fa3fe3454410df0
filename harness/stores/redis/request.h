// Redis over the kernel's network: the request and reply types of its calls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/env/calls.h"
#include "harness/stores/redis/command.h"
#include "harness/stores/redis/reply.h"

namespace holdfast::redis {

struct Request {
  Command command;
  ConnectionId connection = no_connection;
};

// The command's first word.
std::string_view call_name(const Request& request);
// The command as one would type it; a script is shortened to its first words.
std::string to_text(const Request& request);
std::uint64_t digest(const Request& request);
std::uint64_t digest(const Reply& reply);

using RedisCalls = Calls<Request, Reply>;

}  // namespace holdfast::redis
