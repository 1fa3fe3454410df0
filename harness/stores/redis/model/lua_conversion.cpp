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

Reply table_to_reply(lua_State* lua, LuaLimits& limits) {
  std::size_t size = 0;
  if (const char* const text = string_field(lua, "err", size)) {
    return Reply::error(on_one_line({text, size}));
  }
  if (const char* const text = string_field(lua, "ok", size)) {
    return Reply::status(on_one_line({text, size}));
  }
  Reply array = Reply::array({});
  for (int index = 1;; ++index) {
    lua_rawgeti(lua, -1, index);
    if (lua_isnil(lua, -1) || limits.is_exhausted()) break;
    array.elements.push_back(to_reply(lua, limits));
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
  return array;
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
  if (limits.charge(instructions_per_element)) return Reply::nil();
  if (lua_checkstack(lua, 4) == 0) return Reply::error("ERR reached lua stack limit");
  switch (lua_type(lua, -1)) {
    case LUA_TSTRING: {
      std::size_t size = 0;
      const char* const text = lua_tolstring(lua, -1, &size);
      if (limits.charge(size / LuaLimits::bytes_per_instruction)) return Reply::nil();
      return Reply::bulk(std::string(text, size));
    }
    case LUA_TNUMBER:
      return Reply::integer(truncate_to_integer(lua_tonumber(lua, -1)));
    case LUA_TBOOLEAN:
      return lua_toboolean(lua, -1) != 0 ? Reply::integer(1) : Reply::nil();
    case LUA_TTABLE:
      return table_to_reply(lua, limits);
    default:
      return Reply::nil();
  }
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
