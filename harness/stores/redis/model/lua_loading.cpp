#include "harness/stores/redis/model/lua_loading.h"

#include <lua.hpp>

namespace holdfast::redis {

int load_source(lua_State* lua, std::string_view text, const char* name) {
  if (!text.starts_with(LUA_SIGNATURE[0])) return luaL_loadbuffer(lua, text.data(), text.size(), name);
  // Behind a blank it is read as source.
  lua_pushliteral(lua, " ");
  lua_pushlstring(lua, text.data(), text.size());
  lua_concat(lua, 2);
  std::size_t size = 0;
  const char* const source = lua_tolstring(lua, -1, &size);
  const int status = luaL_loadbuffer(lua, source, size, name);
  lua_remove(lua, -2);
  return status;
}

int load_for_script(lua_State* lua, std::string_view text, const char* name) {
  if (load_source(lua, text, name) == 0) return 1;
  lua_pushnil(lua);
  lua_insert(lua, -2);
  return 2;
}

int join_pieces(lua_State* lua) {
  luaL_Buffer text;
  luaL_buffinit(lua, &text);
  for (;;) {
    lua_pushvalue(lua, 1);
    lua_call(lua, 0, 1);
    if (lua_isnil(lua, -1)) break;
    if (lua_isstring(lua, -1) == 0) return luaL_error(lua, "reader function must return a string");
    const bool is_last = lua_objlen(lua, -1) == 0;
    if (is_last) break;
    luaL_addvalue(&text);
  }
  lua_pop(lua, 1);
  luaL_pushresult(&text);
  return 1;
}

}  // namespace holdfast::redis
