#include "harness/stores/redis/model/lua_sandbox.h"

#include <array>
#include <lua.hpp>

namespace holdfast::redis {
namespace {

// Its address is the key under which a stand-in's metatable keeps the real table.
constexpr char real_table_key = 0;

void* real_table() {
  return const_cast<char*>(&real_table_key);
}

// Pushes the real table if the value at `index` is a stand-in, else nothing.
bool push_real_table(lua_State* lua, int index) {
  if (lua_getmetatable(lua, index) == 0) return false;
  lua_pushlightuserdata(lua, real_table());
  lua_rawget(lua, -2);
  lua_remove(lua, -2);
  if (lua_istable(lua, -1)) return true;
  lua_pop(lua, 1);
  return false;
}

void see_through(lua_State* lua, int index) {
  if (push_real_table(lua, index)) lua_replace(lua, index);
}

int refuse_write(lua_State* lua) {
  return luaL_error(lua, "Attempt to modify a readonly table");
}

// The same without the position in front: that is how it comes out of Redis's C functions.
void refuse_stand_in(lua_State* lua, int index) {
  if (!push_real_table(lua, index)) return;
  lua_pushliteral(lua, "Attempt to modify a readonly table");
  lua_error(lua);
}

int missing_global(lua_State* lua) {
  return luaL_error(lua, "Script attempted to access nonexistent global variable '%s'",
                    lua_tostring(lua, 2) == nullptr ? "?" : lua_tostring(lua, 2));
}

int next(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  see_through(lua, 1);
  lua_settop(lua, 2);
  if (lua_next(lua, 1) != 0) return 2;
  lua_pushnil(lua);
  return 1;
}

int pairs(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_pushvalue(lua, 1);
  lua_pushnil(lua);
  return 3;
}

int raw_get(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_checkany(lua, 2);
  lua_settop(lua, 2);
  see_through(lua, 1);
  lua_rawget(lua, 1);
  return 1;
}

int raw_set(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_checkany(lua, 2);
  luaL_checkany(lua, 3);
  refuse_stand_in(lua, 1);
  lua_settop(lua, 3);
  lua_rawset(lua, 1);
  return 1;
}

int set_metatable(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_argcheck(lua, lua_isnil(lua, 2) || lua_istable(lua, 2), 2, "nil or table expected");
  refuse_stand_in(lua, 1);
  if (luaL_getmetafield(lua, 1, "__metatable") != 0) {
    return luaL_error(lua, "cannot change a protected metatable");
  }
  lua_settop(lua, 2);
  lua_setmetatable(lua, 1);
  return 1;
}

// A stand-in has none of its own that a script may see: what is behind it may.
int get_metatable(lua_State* lua) {
  luaL_checkany(lua, 1);
  see_through(lua, 1);
  if (lua_getmetatable(lua, 1) == 0) {
    lua_pushnil(lua);
    return 1;
  }
  luaL_getmetafield(lua, 1, "__metatable");
  return 1;
}

// As in Redis 7.0, an error that is a table {err=} arrives as its text.
int protected_call(lua_State* lua) {
  if (lua_gettop(lua) == 0) lua_pushnil(lua);
  const int status = lua_pcall(lua, lua_gettop(lua) - 1, LUA_MULTRET, 0);
  if (status != 0 && lua_istable(lua, -1)) {
    lua_getfield(lua, -1, "err");
    if (lua_isstring(lua, -1) != 0) {
      lua_remove(lua, -2);
    } else {
      lua_pop(lua, 1);
    }
  }
  lua_pushboolean(lua, status == 0 ? 1 : 0);
  lua_insert(lua, 1);
  return lua_gettop(lua);
}

void open_library(lua_State* lua, lua_CFunction open, const char* name) {
  lua_pushcfunction(lua, open);
  lua_pushstring(lua, name);
  lua_call(lua, 1, 0);
}

// Replaces the table on top of the stack by a stand-in for it.
void protect_top(lua_State* lua) {
  lua_createtable(lua, 0, 0);
  lua_createtable(lua, 0, 3);
  lua_pushvalue(lua, -3);
  lua_setfield(lua, -2, "__index");
  lua_pushcfunction(lua, refuse_write);
  lua_setfield(lua, -2, "__newindex");
  lua_pushlightuserdata(lua, real_table());
  lua_pushvalue(lua, -4);
  lua_rawset(lua, -3);
  lua_setmetatable(lua, -2);
  lua_remove(lua, -2);
}

// The metatable on top of the stack shows itself to scripts as a stand-in.
void protect_metatable(lua_State* lua) {
  lua_pushvalue(lua, -1);
  protect_top(lua);
  lua_setfield(lua, -2, "__metatable");
}

}  // namespace

void refuse_to_modify_protected(lua_State* lua, int index) {
  refuse_stand_in(lua, index);
}

void open_libraries(lua_State* lua) {
  open_library(lua, luaopen_base, "");
  open_library(lua, luaopen_table, LUA_TABLIBNAME);
  open_library(lua, luaopen_string, LUA_STRLIBNAME);
  open_library(lua, luaopen_math, LUA_MATHLIBNAME);
  constexpr std::array removed = {"dofile", "loadfile", "print", "getfenv", "setfenv", "newproxy"};
  for (const char* const name : removed) {
    lua_pushnil(lua);
    lua_setglobal(lua, name);
  }
  lua_register(lua, "next", next);
  lua_getglobal(lua, "next");
  lua_pushcclosure(lua, pairs, 1);
  lua_setglobal(lua, "pairs");
  lua_register(lua, "rawget", raw_get);
  lua_register(lua, "rawset", raw_set);
  lua_register(lua, "setmetatable", set_metatable);
  lua_register(lua, "getmetatable", get_metatable);
  lua_register(lua, "pcall", protected_call);
}

void protect_globals(lua_State* lua) {
  constexpr std::array libraries = {"table", "string", "math", "coroutine", "redis"};
  for (const char* const name : libraries) {
    lua_getglobal(lua, name);
    protect_top(lua);
    lua_setglobal(lua, name);
  }
  // Methods of strings, as in ("x"):upper(), go through the stand-in too.
  lua_pushliteral(lua, "");
  lua_getmetatable(lua, -1);
  lua_getglobal(lua, "string");
  lua_setfield(lua, -2, "__index");
  protect_metatable(lua);
  lua_pop(lua, 2);

  lua_pushvalue(lua, LUA_GLOBALSINDEX);
  lua_createtable(lua, 0, 1);
  lua_pushcfunction(lua, missing_global);
  lua_setfield(lua, -2, "__index");
  protect_metatable(lua);
  lua_setmetatable(lua, -2);

  lua_pushvalue(lua, -1);
  protect_top(lua);
  lua_pushvalue(lua, -1);
  lua_setfield(lua, -3, "_G");
  lua_replace(lua, LUA_GLOBALSINDEX);
}

}  // namespace holdfast::redis
