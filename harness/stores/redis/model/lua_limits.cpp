#include "harness/stores/redis/model/lua_limits.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <lua.hpp>
#include <string_view>

#include "harness/stores/redis/model/lua_sandbox.h"

namespace holdfast::redis {
namespace {

constexpr std::uint64_t bytes_per_instruction = 16;  // of what a library function works through
constexpr std::size_t longest_pattern = 1000;        // matching calls itself for parts of it

LuaLimits& limits_of(lua_State* lua) {
  return *static_cast<LuaLimits*>(lua_touserdata(lua, lua_upvalueindex(1)));
}

// The wrapped function in its own place, so that its messages name it as ever.
int go_on(lua_State* lua) {
  return lua_tocfunction(lua, lua_upvalueindex(2))(lua);
}

void charge_or_stop(lua_State* lua, std::uint64_t work) {
  if (limits_of(lua).charge(1 + work / bytes_per_instruction)) LuaLimits::stop(lua);
}

std::string_view text_at(lua_State* lua, int index) {
  std::size_t size = 0;
  const char* const text = lua_type(lua, index) == LUA_TSTRING ? lua_tolstring(lua, index, &size) : nullptr;
  return {text == nullptr ? "" : text, size};
}

// The most steps that matching can take: each repetition that may give back multiplies them by the length,
// each optional item by two.
std::uint64_t worst_case(std::string_view subject, std::string_view pattern) {
  constexpr std::uint64_t most = LuaLimits::instructions_max * bytes_per_instruction;
  const std::uint64_t length = subject.size() + 1;
  std::uint64_t steps = std::max<std::uint64_t>(1, pattern.size());
  const auto multiply = [&](std::uint64_t factor) {
    steps = steps > most / factor ? most + 1 : steps * factor;
  };
  if (!pattern.starts_with('^')) multiply(length);
  for (const char c : pattern) {
    if (c == '*' || c == '+' || c == '-') multiply(length);
    if (c == '?') multiply(2);
  }
  return steps;
}

int match(lua_State* lua) {
  const std::string_view pattern = text_at(lua, 2);
  const bool is_plain =
      pattern.find_first_of("^$*+?.([%-") == std::string_view::npos || lua_toboolean(lua, 4) != 0;
  if (!is_plain && pattern.size() > longest_pattern) return luaL_error(lua, "pattern too complex");
  charge_or_stop(lua,
                 is_plain ? text_at(lua, 1).size() + pattern.size() : worst_case(text_at(lua, 1), pattern));
  return go_on(lua);
}

// It goes round for each, also if there is nothing to repeat.
int repeat(lua_State* lua) {
  const lua_Number times = lua_isnumber(lua, 2) != 0 ? lua_tonumber(lua, 2) : 0;
  const lua_Number size = times * static_cast<lua_Number>(text_at(lua, 1).size() + 1);
  constexpr auto most = static_cast<lua_Number>(LuaLimits::bytes_at_once_max);
  if (size > 2 * most) return luaL_error(lua, "not enough memory");
  charge_or_stop(lua, size > 0 ? static_cast<std::uint64_t>(size) : 0);
  return go_on(lua);
}

int work_through_text(lua_State* lua) {
  charge_or_stop(lua, text_at(lua, 1).size());
  return go_on(lua);
}

int work_through_table(lua_State* lua) {
  charge_or_stop(lua, lua_istable(lua, 1) ? bytes_per_instruction * lua_objlen(lua, 1) : 0);
  return go_on(lua);
}

int insert(lua_State* lua) {
  if (lua_istable(lua, 1)) refuse_to_modify_protected(lua, 1);
  return work_through_table(lua);
}

// The script's handler, unless there is no more time for it: one that loops would never be interrupted, since
// Lua counts nothing while it tells of an error that its own counting raised.
int handle_error(lua_State* lua) {
  if (limits_of(lua).is_exhausted()) return 1;
  lua_pushvalue(lua, lua_upvalueindex(2));
  lua_insert(lua, 1);
  lua_call(lua, lua_gettop(lua) - 1, 1);
  return 1;
}

int protected_call_with_handler(lua_State* lua) {
  luaL_checkany(lua, 2);
  lua_settop(lua, 2);
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_insert(lua, 2);
  lua_pushcclosure(lua, handle_error, 2);
  lua_insert(lua, 1);
  const int status = lua_pcall(lua, 0, LUA_MULTRET, 1);
  lua_pushboolean(lua, status == 0 ? 1 : 0);
  lua_replace(lua, 1);
  return lua_gettop(lua);
}

// What would stay set for the scripts that come later is only answered.
int collect_garbage(lua_State* lua) {
  const char* const what = luaL_optstring(lua, 1, "collect");
  if (std::strcmp(what, "stop") == 0 || std::strcmp(what, "restart") == 0) {
    lua_pushinteger(lua, 0);
    return 1;
  }
  if (std::strcmp(what, "setpause") == 0 || std::strcmp(what, "setstepmul") == 0) {
    lua_pushinteger(lua, 200);
    return 1;
  }
  if (std::strcmp(what, "count") != 0) charge_or_stop(lua, LuaLimits::bytes_at_once_max / 64);
  return go_on(lua);
}

struct Guarded {
  const char* library;
  const char* name;
  lua_CFunction guard;
};

constexpr Guarded guarded[] = {
    {LUA_STRLIBNAME, "find", match},
    {LUA_STRLIBNAME, "match", match},
    {LUA_STRLIBNAME, "gmatch", match},
    {LUA_STRLIBNAME, "gfind", match},
    {LUA_STRLIBNAME, "gsub", match},
    {LUA_STRLIBNAME, "rep", repeat},
    {LUA_STRLIBNAME, "reverse", work_through_text},
    {LUA_STRLIBNAME, "lower", work_through_text},
    {LUA_STRLIBNAME, "upper", work_through_text},
    {LUA_STRLIBNAME, "byte", work_through_text},
    {LUA_STRLIBNAME, "sub", work_through_text},
    {LUA_STRLIBNAME, "format", work_through_text},
    {LUA_TABLIBNAME, "concat", work_through_table},
    {LUA_TABLIBNAME, "insert", insert},
    {LUA_TABLIBNAME, "remove", work_through_table},
    {LUA_TABLIBNAME, "sort", work_through_table},
    {LUA_TABLIBNAME, "maxn", work_through_table},
};

}  // namespace

void LuaLimits::guard_libraries(lua_State* lua) {
  for (const Guarded& each : guarded) {
    lua_getglobal(lua, each.library);
    lua_pushlightuserdata(lua, this);
    lua_getfield(lua, -2, each.name);
    lua_pushcclosure(lua, each.guard, 2);
    lua_setfield(lua, -2, each.name);
    lua_pop(lua, 1);
  }
  lua_pushlightuserdata(lua, this);
  lua_pushcclosure(lua, protected_call_with_handler, 1);
  lua_setglobal(lua, "xpcall");
  lua_pushlightuserdata(lua, this);
  lua_getglobal(lua, "collectgarbage");
  lua_pushcclosure(lua, collect_garbage, 2);
  lua_setglobal(lua, "collectgarbage");
}

void LuaLimits::begin() {
  instructions_ = 0;
  bytes_ = 0;
}

bool LuaLimits::charge(std::uint64_t instructions) {
  instructions_ = std::min(instructions_max, instructions_ + std::min(instructions, instructions_max));
  return is_exhausted();
}

void* LuaLimits::allocate(void* self, void* block, std::size_t old_size, std::size_t size) {
  auto& limits = *static_cast<LuaLimits*>(self);
  if (size == 0) {
    std::free(block);
    return nullptr;
  }
  if (limits.counts_memory_ && size > old_size) {
    const std::size_t more = size - old_size;
    if (size > bytes_at_once_max || more > bytes_max - std::min(bytes_max, limits.bytes_)) {
      limits.instructions_ =
          instructions_max;  // else it could ask again and again, each time after long work
      return nullptr;
    }
    limits.bytes_ += more;
  }
  return std::realloc(block, size);
}

int LuaLimits::stop(lua_State* lua) {
  return luaL_error(lua, "Script ran for more than %d instructions and was stopped",
                    static_cast<int>(instructions_max));
}

}  // namespace holdfast::redis
