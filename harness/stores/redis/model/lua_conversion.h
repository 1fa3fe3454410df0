// Values between Redis and Lua, as Redis converts them.
//
//   reply to Lua: integer to number, bulk to string, nil to false, status to {ok=}, error to {err=},
//                 array to table.
//   Lua to reply: number to integer (cut off), true to 1, false and nil to nil, {ok=} and {err=} back,
//                 table to array up to its first nil.
#pragma once

#include <string>
#include <string_view>

#include "harness/stores/redis/command.h"
#include "harness/stores/redis/model/lua_limits.h"
#include "harness/stores/redis/reply.h"

struct lua_State;

namespace holdfast::redis {

void push_reply(lua_State* lua, const Reply& reply);
// {err = "ERR <message>"}, unless the message brings its own code as in "-MYCODE message".
void push_error_table(lua_State* lua, std::string_view message);
// A table with one field.
void push_field_table(lua_State* lua, const char* name, std::string_view text);

// The value on top of the stack, which stays there. Each element of it counts, however often it is the same
// one; when there were too many, the rest is left out.
Reply to_reply(lua_State* lua, LuaLimits& limits);

// The arguments of the running C function as words of a command. False when one of them is neither a
// string nor a number.
bool read_words(lua_State* lua, Command& words);

// An error travels on one line.
std::string on_one_line(std::string_view text);

}  // namespace holdfast::redis
