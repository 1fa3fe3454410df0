// The world a script sees: the libraries that Redis leaves in, and tables that cannot be changed.
//
// Redis patches Lua to have read-only tables. Here a protected table is an empty stand-in whose
// metatable looks everything up in the real one and refuses every write; the functions that would see
// the difference (pairs, next, rawget, rawset, getmetatable, setmetatable) are replaced by ones that do not.
//
// Everything in this file may raise a Lua error, which is a longjmp: no object with a destructor may
// be alive across a call.
#pragma once

struct lua_State;

namespace holdfast::redis {

// Opens base, table, string, math and coroutine, and takes out what Redis takes out. The globals are
// still open for the caller to add to.
void open_libraries(lua_State* lua);

// Raises the error of a write if the table at `index` is a protected one: for functions that write without
// asking its metatable.
void refuse_to_modify_protected(lua_State* lua, int index);

// Closes the globals and every library in them. Pushes the real table of globals: what is written to
// it (KEYS, ARGV) is what scripts see.
void protect_globals(lua_State* lua);

}  // namespace holdfast::redis
