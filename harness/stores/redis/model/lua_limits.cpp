#include "harness/stores/redis/model/lua_limits.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <lua.hpp>
#include <string_view>

#include "harness/kernel/frame_pool.h"
#include "harness/stores/redis/model/lua_loading.h"
#include "harness/stores/redis/model/lua_pattern_steps.h"
#include "harness/stores/redis/model/lua_sandbox.h"

namespace holdfast::redis {
namespace {

constexpr std::uint64_t bytes_per_instruction = LuaLimits::bytes_per_instruction;
constexpr std::size_t longest_pattern = 1000;  // matching calls itself for parts of it

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
// and so does what looks for a counterpart (%b); each optional item by two.
std::uint64_t worst_case(std::string_view subject, std::string_view pattern) {
  constexpr std::uint64_t most = LuaLimits::instructions_max * bytes_per_instruction;
  const std::uint64_t length = subject.size() + 1;
  std::uint64_t steps = std::max<std::uint64_t>(1, pattern.size());
  const auto multiply = [&](std::uint64_t factor) {
    steps = steps > most / factor ? most + 1 : steps * factor;
  };
  multiply(length);
  if (pattern.find("%b") != std::string_view::npos) multiply(length);
  for (const char c : pattern) {
    if (c == '*' || c == '+' || c == '-') multiply(length);
    if (c == '?') multiply(2);
  }
  return steps;
}

constexpr std::string_view special_characters = "^$*+?.([%-";
constexpr std::uint64_t little_work = 10'000;  // may be charged for without looking closer

// Where string.find and string.match begin to look.
std::size_t begin_of_search(lua_State* lua, std::size_t length) {
  const lua_Integer at = lua_isnumber(lua, 3) != 0 ? lua_tointeger(lua, 3) : 1;
  const auto size = static_cast<lua_Integer>(length);
  return static_cast<std::size_t>(std::clamp<lua_Integer>(at > 0    ? at - 1
                                                          : at == 0 ? 0
                                                                    : size + at,
                                                          0, size));
}

// `work_per_match` comes on top of each one.
int match_as(lua_State* lua, PatternUse use, std::uint64_t work_per_match) {
  const std::string_view text = text_at(lua, 1);
  const std::string_view pattern = text_at(lua, 2);
  if (pattern.size() > longest_pattern) return luaL_error(lua, "pattern too complex");
  std::uint64_t work = worst_case(text, pattern) + (text.size() + 1) * work_per_match;
  if (work > little_work) {
    const PatternLook look{
        .begin = use == PatternUse::first_match ? begin_of_search(lua, text.size()) : 0,
        .steps_per_match = work_per_match,
        .most = LuaLimits::instructions_max * bytes_per_instruction,
    };
    work = lua_pattern_steps(text, pattern, use, look);
  }
  charge_or_stop(lua, work);
  return go_on(lua);
}

// Lua's own begins anew behind every first letter that it finds, which can take for ever.
int find_plain(lua_State* lua) {
  const std::string_view text = text_at(lua, 1);
  const std::string_view word = text_at(lua, 2);
  charge_or_stop(lua, text.size() + word.size());
  const std::string_view rest = text.substr(begin_of_search(lua, text.size()));
  const void* const found = ::memmem(rest.data(), rest.size(), word.data(), word.size());
  if (found == nullptr) {
    lua_pushnil(lua);
    return 1;
  }
  const lua_Integer at = static_cast<const char*>(found) - text.data();
  lua_pushinteger(lua, at + 1);
  lua_pushinteger(lua, at + static_cast<lua_Integer>(word.size()));
  return 2;
}

// Only string.find takes a fourth word for "no pattern"; to string.gsub it is a number of times.
int find(lua_State* lua) {
  const bool is_plain = text_at(lua, 2).find_first_of(special_characters) == std::string_view::npos ||
                        lua_toboolean(lua, 4) != 0;
  const bool has_texts = lua_type(lua, 1) == LUA_TSTRING && lua_type(lua, 2) == LUA_TSTRING;
  return is_plain && has_texts ? find_plain(lua) : match_as(lua, PatternUse::first_match, 0);
}

int match(lua_State* lua) {
  return match_as(lua, PatternUse::first_match, 0);
}

int match_all(lua_State* lua) {
  return match_as(lua, PatternUse::all_without_anchor, 0);
}

// What takes the place of a match is gone through each time, also if nothing comes of it.
int substitute(lua_State* lua) {
  return match_as(lua, PatternUse::all_matches, text_at(lua, 3).size());
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

// Compiling takes longer than looking, and all jumps to the end of a long "elseif" are one list, which is
// gone through for each.
void charge_for_compiling(lua_State* lua, std::size_t size) {
  charge_or_stop(lua, 8 * size + size * size / 1024);
}

int compile_text(lua_State* lua) {
  std::size_t size = 0;
  const char* const text = luaL_checklstring(lua, 1, &size);
  charge_for_compiling(lua, size);
  return load_for_script(lua, {text, size}, luaL_optstring(lua, 2, text));
}

int compile_pieces(lua_State* lua) {
  const char* const name = luaL_optstring(lua, 2, "=(load)");
  luaL_checktype(lua, 1, LUA_TFUNCTION);
  lua_pushcfunction(lua, join_pieces);
  lua_pushvalue(lua, 1);
  if (lua_pcall(lua, 1, 1, 0) != 0) {
    lua_pushnil(lua);
    lua_insert(lua, -2);
    return 2;
  }
  const std::string_view text = text_at(lua, lua_gettop(lua));
  charge_for_compiling(lua, text.size());
  return load_for_script(lua, text, name);
}

// Every directive may be a number of a hundred digits.
int format(lua_State* lua) {
  constexpr std::uint64_t work_per_directive = 20 * bytes_per_instruction;
  const std::string_view text = text_at(lua, 1);
  charge_or_stop(lua, text.size() + work_per_directive * std::ranges::count(text, '%'));
  return go_on(lua);
}

// Lua's own may be asked for spaces and signs without an end.
int to_number(lua_State* lua) {
  charge_or_stop(lua, text_at(lua, 1).size());
  return go_on(lua);
}

// Functions that go through all that they are given, or hand it on.
int work_through_values(lua_State* lua) {
  const auto count = static_cast<std::uint64_t>(lua_gettop(lua));
  limits_of(lua).meet_values(count);
  charge_or_stop(lua, bytes_per_instruction * count);
  return go_on(lua);
}

constexpr std::int64_t most_values = 8000;  // LUAI_MAXCSTACK

// Lua's own takes a range of more than there are numbers for an empty one, and reads behind the stack.
int unpack(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  const std::int64_t first = luaL_optint(lua, 2, 1);
  const std::int64_t last =
      lua_isnoneornil(lua, 3) ? static_cast<std::int64_t>(lua_objlen(lua, 1)) : luaL_checkint(lua, 3);
  if (last - first >= INT_MAX) return luaL_error(lua, "too many results to unpack");
  // More than these it refuses.
  const auto count = static_cast<std::uint64_t>(std::clamp<std::int64_t>(last - first + 1, 0, most_values));
  limits_of(lua).meet_values(count);
  charge_or_stop(lua, bytes_per_instruction * count);
  return go_on(lua);
}

// Each has a count of its own, of which nothing is known until the first look.
int create_coroutine(lua_State* lua) {
  if (limits_of(lua).charge_with_texts(LuaLimits::instructions_per_look)) return LuaLimits::stop(lua);
  return go_on(lua);
}

int work_through_table(lua_State* lua) {
  charge_or_stop(lua, lua_istable(lua, 1) ? bytes_per_instruction * lua_objlen(lua, 1) : 0);
  return go_on(lua);
}

int work_through_table_of_texts(lua_State* lua) {
  const std::uint64_t elements = lua_istable(lua, 1) ? lua_objlen(lua, 1) : 0;
  if (limits_of(lua).charge_with_texts(1 + elements)) return LuaLimits::stop(lua);
  return go_on(lua);
}

// As often as a good order of comparing needs.
int sort(lua_State* lua) {
  const std::uint64_t elements = lua_istable(lua, 1) ? lua_objlen(lua, 1) : 0;
  if (limits_of(lua).charge_with_texts(1 + elements * std::bit_width(elements))) return LuaLimits::stop(lua);
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

// Tables and strings of a script come and go with each call, and are small: they come from the pool of
// frames.
constexpr std::size_t pooled_size_max = 512;

void give_back(void* block, std::size_t size) {
  if (block == nullptr) return;
  if (size <= pooled_size_max) {
    frame_pool::release(block, size);
  } else {
    std::free(block);
  }
}

// nullptr: there is no memory, and `block` stays as it is.
void* resized(void* block, std::size_t old_size, std::size_t size) {
  if (block != nullptr && old_size > pooled_size_max && size > pooled_size_max) {
    return std::realloc(block, size);
  }
  void* const moved = size <= pooled_size_max ? frame_pool::allocate(size) : std::malloc(size);
  if (block != nullptr && moved != nullptr) {
    std::memcpy(moved, block, std::min(old_size, size));
    give_back(block, old_size);
  }
  return moved;
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
    {LUA_STRLIBNAME, "find", find},
    {LUA_STRLIBNAME, "match", match},
    {LUA_STRLIBNAME, "gmatch", match_all},
    {LUA_STRLIBNAME, "gfind", match_all},
    {LUA_STRLIBNAME, "gsub", substitute},
    {LUA_STRLIBNAME, "rep", repeat},
    {LUA_STRLIBNAME, "reverse", work_through_text},
    {LUA_STRLIBNAME, "lower", work_through_text},
    {LUA_STRLIBNAME, "upper", work_through_text},
    {LUA_STRLIBNAME, "byte", work_through_text},
    {LUA_STRLIBNAME, "sub", work_through_text},
    {LUA_STRLIBNAME, "format", format},
    {LUA_STRLIBNAME, "char", work_through_values},
    {LUA_MATHLIBNAME, "max", work_through_values},
    {LUA_MATHLIBNAME, "min", work_through_values},
    {LUA_COLIBNAME, "create", create_coroutine},
    {LUA_COLIBNAME, "wrap", create_coroutine},
    {LUA_COLIBNAME, "resume", work_through_values},
    {LUA_TABLIBNAME, "concat", work_through_table_of_texts},
    {LUA_TABLIBNAME, "insert", insert},
    {LUA_TABLIBNAME, "remove", work_through_table},
    {LUA_TABLIBNAME, "sort", sort},
    {LUA_TABLIBNAME, "maxn", work_through_table},
};

struct GuardedGlobal {
  const char* name;
  lua_CFunction guard;
};

constexpr GuardedGlobal guarded_globals[] = {
    {"collectgarbage", collect_garbage},
    {"loadstring", compile_text},
    {"load", compile_pieces},
    {"tonumber", to_number},
    {"select", work_through_values},
    {"assert", work_through_values},
    {"pcall", work_through_values},
    {"unpack", unpack},
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
  for (const GuardedGlobal& each : guarded_globals) {
    lua_pushlightuserdata(lua, this);
    lua_getglobal(lua, each.name);
    lua_pushcclosure(lua, each.guard, 2);
    lua_setglobal(lua, each.name);
  }
}

void LuaLimits::begin() {
  instructions_ = 0;
  bytes_ = 0;
  longest_ = 0;
}

bool LuaLimits::charge(std::uint64_t instructions) {
  instructions_ = std::min(instructions_max, instructions_ + std::min(instructions, instructions_max));
  return is_exhausted();
}

bool LuaLimits::charge_with_texts(std::uint64_t instructions) {
  const std::uint64_t each = has_met_long_texts() ? longest_ / bytes_joined_per_instruction : 1;
  return charge(std::min(instructions, instructions_max) * each);
}

namespace {

// The blocks that tables and the list of calls consist of are doubled when they are full.
bool is_doubled(std::size_t size_bytes, std::size_t bytes_of_one) {
  return size_bytes % bytes_of_one == 0 && std::has_single_bit(size_bytes / bytes_of_one);
}

}  // namespace

void LuaLimits::meet_block(std::size_t size_bytes) {
  const bool is_fields = is_doubled(size_bytes, bytes_per_field);
  meet_text(is_fields ? size_bytes / table_bytes_like_one_of_text : size_bytes);
}

// No text grows: it is the list of calls, the numbered part of a table, or the stack. A stack that is much
// longer than its calls explain has a function on it that was given very many values, and hands them on.
void LuaLimits::meet_growth(std::size_t size_bytes) {
  if (is_doubled(size_bytes, bytes_per_call)) {
    calls_ = size_bytes / bytes_per_call;
  } else if (is_doubled(size_bytes, bytes_per_value)) {
    meet_text(size_bytes / table_bytes_like_one_of_text);
  } else if (const std::size_t values = size_bytes / bytes_per_value; values > values_per_call * calls_) {
    meet_values(values - values_per_call * calls_);
  }
}

void* LuaLimits::allocate(void* self, void* block, std::size_t old_size, std::size_t size) {
  auto& limits = *static_cast<LuaLimits*>(self);
  if (size == 0) {
    give_back(block, old_size);
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
    if (block == nullptr) {
      limits.meet_block(size);
    } else {
      limits.meet_growth(size);
    }
  }
  return resized(block, old_size, size);
}

int LuaLimits::stop(lua_State* lua) {
  return luaL_error(lua, "Script ran for more than %d instructions and was stopped",
                    static_cast<int>(instructions_max));
}

}  // namespace holdfast::redis
