// The names Redisson gives to holders and to the keys and channels beside a lock.
//
// Braces keep all keys of one lock in one cluster slot; a key that brings its own braces gets no more.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/env/env.h"

namespace holdfast::redisson {

// "c1:1": the client's UUID and the thread, the field of the lock's hash.
std::string holder_name(const Env& env, std::uint32_t thread);
// "redisson_lock__channel:{lock}".
std::string prefix_name(std::string_view prefix, std::string_view key);
// "{lock}".
std::string braced_name(std::string_view key);
// "{lock}:c1:1:rwlock_timeout".
std::string suffix_name(std::string_view key, std::string_view suffix);

// What an unlock publishes. The content is never read: every message just wakes its receiver.
inline constexpr std::string_view unlock_message = "0";

}  // namespace holdfast::redisson
