// What the model itself gives to scripts: the `redis` table, math.random, the error handler, and the
// watch on scripts that never end. Each function gets its engine as an upvalue.
//
// These functions raise Lua errors, which are longjmps: none keeps an object with a destructor alive
// while it may raise.
#pragma once

#include <cstdint>

struct lua_State;
struct lua_Debug;

namespace holdfast::redis {

class ScriptEngine;

struct LuaFunctions {
  static void add_to_globals(lua_State* lua, ScriptEngine& engine);
  // Pushes the function that turns whatever was raised into the text of the error reply.
  static void push_error_handler(lua_State* lua, ScriptEngine& engine);
  static void watch_instructions(lua_State* lua);

 private:
  static void add_function(lua_State* lua, ScriptEngine& engine, const char* name,
                           int (*function)(lua_State*));
  static void add_redis_table(lua_State* lua, ScriptEngine& engine);
  static ScriptEngine& engine_of(lua_State* lua);

  static int call(lua_State* lua);
  static int protected_call(lua_State* lua);
  static int error_reply(lua_State* lua);
  static int status_reply(lua_State* lua);
  static int sha1hex(lua_State* lua);
  static int log(lua_State* lua);
  static int random(lua_State* lua);
  static int random_seed(lua_State* lua);
  static int describe_error(lua_State* lua);
  static void count_instructions(lua_State* lua, lua_Debug* event);
};

}  // namespace holdfast::redis
