#include "harness/stores/redis/model/lua_conversion.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <lua.hpp>

#include "harness/stores/redis/model/numbers.h"

namespace holdfast::redis {
namespace {

constexpr std::uint64_t instructions_per_element = 4;

void assign_number(std::string& word, double number) {
  constexpr double exactly_printed_max = 1e15;
  const auto whole = static_cast<std::int64_t>(std::abs(number) < exactly_printed_max ? number : 0.5);
  if (static_cast<double>(whole) != number || std::signbit(number) != (whole < 0)) {
    word = format_double(number);
    return;
  }
  std::array<char, 24> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), whole);
  word.assign(buffer.data(), end);
}

// The string in field `name` of the table on top of the stack; null when there is none.
const char* string_field(lua_State* lua, const char* name, std::size_t& size) {
  lua_pushstring(lua, name);
  lua_rawget(lua, -2);
  const char* const text = lua_type(lua, -1) == LUA_TSTRING ? lua_tolstring(lua, -1, &size) : nullptr;
  lua_pop(lua, 1);  // the table still holds the string
  return text;
}

Reply table_without_elements(lua_State* lua) {
  std::size_t size = 0;
  if (const char* const text = string_field(lua, "err", size)) {
    return Reply::error(on_one_line({text, size}));
  }
  if (const char* const text = string_field(lua, "ok", size)) {
    return Reply::status(on_one_line({text, size}));
  }
  return Reply::array({});
}

// The value on top of the stack, without the elements of a table. Tables stand in each other thousands deep:
// what this needs must not lie on our stack once for each of them.
[[gnu::noinline]] void fill_without_elements(lua_State* lua, LuaLimits& limits, Reply& reply) {
  if (lua_checkstack(lua, 4) == 0) {
    reply = Reply::error("ERR reached lua stack limit");
    return;
  }
  switch (lua_type(lua, -1)) {
    case LUA_TSTRING: {
      std::size_t size = 0;
      const char* const text = lua_tolstring(lua, -1, &size);
      if (!limits.charge(size / LuaLimits::bytes_per_instruction)) {
        reply = Reply::bulk(std::string(text, size));
      }
      return;
    }
    case LUA_TNUMBER:
      reply = Reply::integer(truncate_to_integer(lua_tonumber(lua, -1)));
      return;
    case LUA_TBOOLEAN:
      reply = lua_toboolean(lua, -1) != 0 ? Reply::integer(1) : Reply::nil();
      return;
    case LUA_TTABLE:
      reply = table_without_elements(lua);
      return;
    default:
      return;
  }
}

void fill(lua_State* lua, LuaLimits& limits, Reply& reply) {
  if (limits.charge(instructions_per_element)) return;
  fill_without_elements(lua, limits, reply);
  if (reply.kind != Reply::Kind::array) return;
  for (int index = 1;; ++index) {
    lua_rawgeti(lua, -1, index);
    if (lua_isnil(lua, -1) || limits.is_exhausted()) break;
    fill(lua, limits, reply.elements.emplace_back());
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
}

}  // namespace

void push_field_table(lua_State* lua, const char* name, std::string_view text) {
  lua_createtable(lua, 0, 1);
  lua_pushlstring(lua, text.data(), text.size());
  lua_setfield(lua, -2, name);
}

void push_error_table(lua_State* lua, std::string_view message) {
  const bool has_code = message.starts_with('-') && message.find(' ') != std::string_view::npos;
  if (message.starts_with('-')) message.remove_prefix(1);
  lua_createtable(lua, 0, 1);
  lua_pushstring(lua, has_code ? "" : "ERR ");
  lua_pushlstring(lua, message.data(), message.size());
  lua_concat(lua, 2);
  lua_setfield(lua, -2, "err");
}

void push_reply(lua_State* lua, const Reply& reply) {
  lua_checkstack(lua, 3);  // no command's reply is deep enough for this to fail
  switch (reply.kind) {
    case Reply::Kind::nil:
      lua_pushboolean(lua, 0);
      return;
    case Reply::Kind::status:
      return push_field_table(lua, "ok", reply.text);
    case Reply::Kind::error:
      return push_field_table(lua, "err", reply.text);
    case Reply::Kind::integer:
      lua_pushnumber(lua, static_cast<double>(reply.number));
      return;
    case Reply::Kind::bulk:
      lua_pushlstring(lua, reply.text.data(), reply.text.size());
      return;
    case Reply::Kind::array:
      lua_createtable(lua, static_cast<int>(reply.elements.size()), 0);
      for (std::size_t index = 0; index < reply.elements.size(); ++index) {
        push_reply(lua, reply.elements[index]);
        lua_rawseti(lua, -2, static_cast<int>(index) + 1);
      }
      return;
  }
}

Reply to_reply(lua_State* lua, LuaLimits& limits) {
  Reply reply = Reply::nil();
  fill(lua, limits, reply);
  return reply;
}

bool read_words(lua_State* lua, Command& words) {
  const int count = lua_gettop(lua);
  words.resize(static_cast<std::size_t>(count));
  for (int index = 1; index <= count; ++index) {
    std::string& word = words[static_cast<std::size_t>(index) - 1];
    const int type = lua_type(lua, index);
    if (type == LUA_TNUMBER) {
      assign_number(word, lua_tonumber(lua, index));
    } else if (type == LUA_TSTRING) {
      std::size_t size = 0;
      const char* const text = lua_tolstring(lua, index, &size);
      word.assign(text, size);
    } else {
      return false;
    }
  }
  return true;
}

std::string on_one_line(std::string_view text) {
  std::string line(text);
  std::ranges::replace_if(line, [](char letter) { return letter == '\r' || letter == '\n'; }, ' ');
  return line;
}

}  // namespace holdfast::redis
