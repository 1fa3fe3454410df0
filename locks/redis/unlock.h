// The ways to release that several designs share.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "locks/lock.h"

namespace holdfast {

// 002:L213, the text as printed.
inline constexpr std::string_view compare_and_delete_script =
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

// DEL key, whoever put it there. No source looks at the reply, so a key that was already gone counts
// as released.
Task<Released> unlock_by_del(Caller& me, std::string key);

// Deletes the key if it holds `request_id`, in one step on the server; refused if it does not.
Task<Released> unlock_by_compare_and_delete(Caller& me, std::string key, std::string request_id);

// The same on every server in turn, waiting for each at most `timeout` (without it, as long as the
// connection usually does). Done if any server deleted the key; refused if all answered and none did.
Task<Released> unlock_everywhere(Caller& me, std::string key, std::string request_id,
                                 std::optional<Duration> timeout);

}  // namespace holdfast
