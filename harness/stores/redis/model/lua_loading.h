// Texts that a script has compiled, as Redis has them compiled: what is no source is refused.
//
// Lua itself also takes what string.dump writes, and believes it: an instruction that was altered can read
// and write anywhere. Redis takes that out of its Lua; to it the first byte is no word of the language.
//
// These functions may raise Lua errors, which are longjmps: none keeps an object with a destructor alive.
#pragma once

#include <string_view>

struct lua_State;

namespace holdfast::redis {

// Pushes the function, and returns 0; or the error, and returns its kind, as luaL_loadbuffer does.
int load_source(lua_State* lua, std::string_view text, const char* name);
// What load and loadstring return: the function, or nil and the error.
int load_for_script(lua_State* lua, std::string_view text, const char* name);
// The pieces that a function returns, one after the other until it returns none, as one text.
int join_pieces(lua_State* lua);

}  // namespace holdfast::redis
