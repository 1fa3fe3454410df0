#include "harness/stores/redis/model/lua_functions.h"

#include <array>
#include <cmath>
#include <lua.hpp>

#include "harness/stores/redis/model/lua_conversion.h"
#include "harness/stores/redis/model/script_engine.h"
#include "harness/stores/redis/model/sha1.h"

namespace holdfast::redis {
namespace {

constexpr char engine_key = 0;  // its address names the engine in Lua's registry
constexpr int instructions_per_look = LuaLimits::instructions_per_look;

int raise(lua_State* lua, const char* message) {
  push_error_table(lua, message);
  return lua_error(lua);
}

int return_nothing(lua_State*) {
  return 0;
}

int return_false(lua_State* lua) {
  lua_pushboolean(lua, 0);
  return 1;
}

int return_true(lua_State* lua) {
  lua_pushboolean(lua, 1);
  return 1;
}

bool has_one_string(lua_State* lua) {
  return lua_gettop(lua) == 1 && lua_type(lua, 1) == LUA_TSTRING;
}

std::string_view string_at(lua_State* lua, int index) {
  std::size_t size = 0;
  const char* const text = lua_tolstring(lua, index, &size);
  return {text, size};
}

struct Constant {
  const char* name;
  int value;
};

constexpr std::array constants = std::to_array<Constant>({
    {"LOG_DEBUG", 0},
    {"LOG_VERBOSE", 1},
    {"LOG_NOTICE", 2},
    {"LOG_WARNING", 3},
    {"REPL_NONE", 0},
    {"REPL_AOF", 1},
    {"REPL_SLAVE", 2},
    {"REPL_REPLICA", 2},
    {"REPL_ALL", 3},
    {"REDIS_VERSION_NUM", 0x0007000F},
});

}  // namespace

void LuaFunctions::add_to_globals(lua_State* lua, ScriptEngine& engine) {
  lua_pushlightuserdata(lua, const_cast<char*>(&engine_key));
  lua_pushlightuserdata(lua, &engine);
  lua_rawset(lua, LUA_REGISTRYINDEX);

  add_redis_table(lua, engine);
  lua_setglobal(lua, "redis");
  lua_getglobal(lua, "math");
  add_function(lua, engine, "random", random);
  add_function(lua, engine, "randomseed", random_seed);
  lua_pop(lua, 1);
}

void LuaFunctions::push_error_handler(lua_State* lua, ScriptEngine& engine) {
  lua_pushlightuserdata(lua, &engine);
  lua_pushcclosure(lua, describe_error, 1);
}

void LuaFunctions::watch_instructions(lua_State* lua) {
  lua_sethook(lua, count_instructions, LUA_MASKCOUNT, instructions_per_look);
}

void LuaFunctions::add_redis_table(lua_State* lua, ScriptEngine& engine) {
  lua_newtable(lua);
  add_function(lua, engine, "call", call);
  add_function(lua, engine, "pcall", protected_call);
  add_function(lua, engine, "error_reply", error_reply);
  add_function(lua, engine, "status_reply", status_reply);
  add_function(lua, engine, "sha1hex", sha1hex);
  add_function(lua, engine, "log", log);
  add_function(lua, engine, "replicate_commands", return_true);
  add_function(lua, engine, "breakpoint", return_false);
  // What these steer does not exist in the model.
  add_function(lua, engine, "setresp", return_nothing);
  add_function(lua, engine, "set_repl", return_nothing);
  for (const Constant& constant : constants) {
    lua_pushinteger(lua, constant.value);
    lua_setfield(lua, -2, constant.name);
  }
  lua_pushliteral(lua, "7.0.15");
  lua_setfield(lua, -2, "REDIS_VERSION");
}

// Into the table on top of the stack.
void LuaFunctions::add_function(lua_State* lua, ScriptEngine& engine, const char* name,
                                int (*function)(lua_State*)) {
  lua_pushlightuserdata(lua, &engine);
  lua_pushcclosure(lua, function, 1);
  lua_setfield(lua, -2, name);
}

ScriptEngine& LuaFunctions::engine_of(lua_State* lua) {
  return *static_cast<ScriptEngine*>(lua_touserdata(lua, lua_upvalueindex(1)));
}

int LuaFunctions::call(lua_State* lua) {
  if (engine_of(lua).limits_.is_exhausted()) return LuaLimits::stop(lua);
  if (engine_of(lua).call_from_lua(lua)) return lua_error(lua);
  return 1;
}

int LuaFunctions::protected_call(lua_State* lua) {
  if (engine_of(lua).limits_.is_exhausted()) return LuaLimits::stop(lua);
  engine_of(lua).call_from_lua(lua);
  return 1;
}

int LuaFunctions::error_reply(lua_State* lua) {
  if (!has_one_string(lua)) {
    push_error_table(lua, "wrong number or type of arguments");
    return 1;
  }
  // A dash in front makes the first word the error's code.
  if (!string_at(lua, 1).starts_with('-')) {
    lua_pushliteral(lua, "-");
    lua_insert(lua, 1);
    lua_concat(lua, 2);
  }
  push_error_table(lua, string_at(lua, 1));
  return 1;
}

int LuaFunctions::status_reply(lua_State* lua) {
  if (has_one_string(lua)) {
    push_field_table(lua, "ok", string_at(lua, 1));
  } else {
    push_error_table(lua, "wrong number or type of arguments");
  }
  return 1;
}

int LuaFunctions::sha1hex(lua_State* lua) {
  if (lua_gettop(lua) != 1) return raise(lua, "wrong number of arguments");
  const std::string_view text = lua_isstring(lua, 1) != 0 ? string_at(lua, 1) : std::string_view{};
  if (engine_of(lua).limits_.charge(text.size() / LuaLimits::bytes_per_instruction)) {
    return LuaLimits::stop(lua);
  }
  const std::string sha = sha1_hex(text);
  lua_pushlstring(lua, sha.data(), sha.size());
  return 1;
}

// Checked as in Redis, then dropped: a model has no log file.
int LuaFunctions::log(lua_State* lua) {
  if (lua_gettop(lua) < 2) return raise(lua, "redis.log() requires two arguments or more.");
  if (lua_isnumber(lua, 1) == 0) return raise(lua, "First argument must be a number (log level).");
  const lua_Number level = lua_tonumber(lua, 1);
  if (level < 0 || level > 3) return raise(lua, "Invalid debug level.");
  return 0;
}

int LuaFunctions::random(lua_State* lua) {
  constexpr std::int64_t range = 2147483647;
  const double fraction =
      static_cast<double>(engine_of(lua).next_random() % range) / static_cast<double>(range);
  const int count = lua_gettop(lua);
  if (count == 0) {
    lua_pushnumber(lua, fraction);
    return 1;
  }
  if (count > 2) return luaL_error(lua, "wrong number of arguments");
  const int low = count == 1 ? 1 : luaL_checkint(lua, 1);
  const int high = luaL_checkint(lua, count);
  luaL_argcheck(lua, low <= high, count, "interval is empty");
  lua_pushnumber(lua, std::floor(fraction * (static_cast<double>(high) - low + 1)) + low);
  return 1;
}

int LuaFunctions::random_seed(lua_State* lua) {
  const auto seed = static_cast<std::uint32_t>(luaL_checkint(lua, 1));
  engine_of(lua).random_ = std::uint64_t{seed} << 16U | 0x330EU;
  return 0;
}

int LuaFunctions::describe_error(lua_State* lua) {
  lua_Debug position{};
  bool known = lua_getstack(lua, 1, &position) != 0 && lua_getinfo(lua, "Sl", &position) != 0;
  if (known && *position.what == 'C') {
    known = lua_getstack(lua, 2, &position) != 0 && lua_getinfo(lua, "Sl", &position) != 0;
  }
  switch (lua_type(lua, 1)) {
    case LUA_TTABLE:
      lua_getfield(lua, 1, "err");
      if (lua_isstring(lua, -1) == 0) lua_pushliteral(lua, "ERR unknown error");
      break;
    case LUA_TSTRING:
    case LUA_TNUMBER:
      lua_pushfstring(lua, "ERR %s", lua_tostring(lua, 1));
      break;
    case LUA_TBOOLEAN:
      lua_pushfstring(lua, "ERR %s", lua_toboolean(lua, 1) != 0 ? "true" : "false");
      break;
    default:  // never an address: it would differ from run to run
      lua_pushfstring(lua, "ERR %s", luaL_typename(lua, 1));
      break;
  }
  if (known) {
    lua_pushfstring(lua, "%s script: %s, on %s:%d.", lua_tostring(lua, -1),
                    engine_of(lua).running_->sha.c_str(), position.source, position.currentline);
  }
  return 1;
}

void LuaFunctions::count_instructions(lua_State* lua, lua_Debug*) {
  lua_pushlightuserdata(lua, const_cast<char*>(&engine_key));
  lua_rawget(lua, LUA_REGISTRYINDEX);
  auto& engine = *static_cast<ScriptEngine*>(lua_touserdata(lua, -1));
  lua_pop(lua, 1);
  if (!engine.limits_.charge_with_texts(instructions_per_look)) return;
  // From here on every instruction raises, so that no pcall in the script can go on.
  lua_sethook(lua, count_instructions, LUA_MASKCOUNT, 1);
  LuaLimits::stop(lua);
}

}  // namespace holdfast::redis
