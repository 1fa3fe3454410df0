#include "harness/stores/redis/model/script_engine.h"

#include <lua.hpp>
#include <new>

#include "harness/kernel/require.h"
#include "harness/stores/redis/model/lua_conversion.h"
#include "harness/stores/redis/model/lua_functions.h"
#include "harness/stores/redis/model/lua_loading.h"
#include "harness/stores/redis/model/lua_sandbox.h"
#include "harness/stores/redis/model/sha1.h"

namespace holdfast::redis {
namespace {

constexpr std::uint64_t elements_per_instruction = 8;  // looked at in about the time of one

// "#!lua flags=..." names the engine and is no Lua. Its line stays, so that line numbers do.
std::string_view without_shebang(std::string_view text) {
  if (!text.starts_with("#!")) return text;
  const std::size_t end_of_line = text.find('\n');
  return end_of_line == std::string_view::npos ? std::string_view{} : text.substr(end_of_line);
}

std::size_t size_of(const Reply& reply, LuaLimits& limits) {
  limits.meet_text(reply.text.size());
  std::size_t size_bytes = LuaLimits::bytes_per_instruction + reply.text.size();
  for (const Reply& element : reply.elements) size_bytes += size_of(element, limits);
  return size_bytes;
}

}  // namespace

ScriptEngine::~ScriptEngine() {
  close();
}

Reply ScriptEngine::run_text(const std::string& text, Words keys, Words arguments, ScriptCaller& caller) {
  std::optional<Reply> error;
  Script* const script = compile(text, error);
  if (script == nullptr) return *std::move(error);
  script->epoch = epoch_;
  return run(*script, keys, arguments, caller);
}

std::optional<Reply> ScriptEngine::run_sha(std::string_view sha, Words keys, Words arguments,
                                           ScriptCaller& caller) {
  Script* const script = find_known(sha);
  if (script == nullptr) return std::nullopt;
  return run(*script, keys, arguments, caller);
}

Reply ScriptEngine::load(const std::string& text) {
  std::optional<Reply> error;
  Script* const script = compile(text, error);
  if (script == nullptr) return *std::move(error);
  script->epoch = epoch_;
  return Reply::bulk(script->sha);
}

bool ScriptEngine::knows(std::string_view sha) const {
  return find_known(sha) != nullptr;
}

void ScriptEngine::reset() {
  forget_scripts();
  random_ = random_unseeded;
}

void ScriptEngine::open() {
  limits_.begin_machine();
  lua_ = lua_newstate(&LuaLimits::allocate, &limits_);
  if (lua_ == nullptr) throw std::bad_alloc();
  open_libraries(lua_);
  limits_.guard_libraries(lua_);
  LuaFunctions::add_to_globals(lua_, *this);
  protect_globals(lua_);
  globals_ = luaL_ref(lua_, LUA_REGISTRYINDEX);
  LuaFunctions::push_error_handler(lua_, *this);
  error_handler_ = luaL_ref(lua_, LUA_REGISTRYINDEX);
  ++machine_;
}

void ScriptEngine::close() {
  if (lua_ != nullptr) lua_close(lua_);
  lua_ = nullptr;
}

std::optional<Reply> ScriptEngine::load_function(Script& script) {
  if (lua_ == nullptr) open();
  if (script.machine == machine_) return std::nullopt;
  if (load_source(lua_, without_shebang(script.text), "@user_script") != 0) {
    Reply error = Reply::error(
        on_one_line(std::string("ERR Error compiling script (new function): ") + lua_tostring(lua_, -1)));
    lua_settop(lua_, 0);
    return error;
  }
  script.function = luaL_ref(lua_, LUA_REGISTRYINDEX);
  script.machine = machine_;
  return std::nullopt;
}

ScriptEngine::Script* ScriptEngine::compile(const std::string& text, std::optional<Reply>& error) {
  const auto seen = by_text_.find(text);
  if (seen != by_text_.end()) return seen->second.get();
  auto script = std::make_unique<Script>();
  script->text = text;
  error = load_function(*script);
  if (error) return nullptr;
  script->sha = sha1_hex(text);
  Script* const compiled = script.get();
  by_sha_.emplace(compiled->sha, compiled);
  compiled->text = by_text_.emplace(text, std::move(script)).first->first;
  return compiled;
}

ScriptEngine::Script* ScriptEngine::find_known(std::string_view sha) const {
  std::string lower(sha);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'F') letter = static_cast<char>(letter - 'A' + 'a');
  }
  const auto found = by_sha_.find(lower);
  return found != by_sha_.end() && found->second->epoch == epoch_ ? found->second : nullptr;
}

Reply ScriptEngine::run(Script& script, Words keys, Words arguments, ScriptCaller& caller) {
  require(!load_function(script), "what was compiled once is a script");
  running_ = &script;
  caller_ = &caller;
  limits_.begin();
  limits_.meet_text(script.text.size());  // it may consist of one
  LuaFunctions::watch_instructions(lua_);
  lua_rawgeti(lua_, LUA_REGISTRYINDEX, error_handler_);
  lua_rawgeti(lua_, LUA_REGISTRYINDEX, globals_);
  push_words("KEYS", keys);
  push_words("ARGV", arguments);
  lua_pop(lua_, 1);
  lua_rawgeti(lua_, LUA_REGISTRYINDEX, script.function);
  limits_.count_memory(true);
  const int status = lua_pcall(lua_, 0, 1, 1);
  limits_.count_memory(false);
  Reply reply = reply_of(status);
  lua_settop(lua_, 0);
  if (limits_.was_greedy()) close();
  running_ = nullptr;
  caller_ = nullptr;
  return reply;
}

Reply ScriptEngine::reply_of(int status) {
  if (status != 0) {
    const char* const message = lua_tostring(lua_, -1);
    return Reply::error(on_one_line(message == nullptr ? "ERR unknown error" : message));
  }
  Reply reply = to_reply(lua_, limits_);
  if (limits_.is_exhausted()) {
    return Reply::error("ERR Script ran or returned too much and was stopped");
  }
  return reply;
}

// Sets a field of the table on top of the stack.
void ScriptEngine::push_words(const char* name, Words words) {
  lua_createtable(lua_, static_cast<int>(words.size()), 0);
  for (std::size_t index = 0; index < words.size(); ++index) {
    limits_.meet_text(words[index].size());
    lua_pushlstring(lua_, words[index].data(), words[index].size());
    lua_rawseti(lua_, -2, static_cast<int>(index) + 1);
  }
  lua_setfield(lua_, -2, name);
}

bool ScriptEngine::call_from_lua(lua_State* lua) {
  if (lua_gettop(lua) == 0) {
    push_error_table(lua, "Please specify at least one argument for this redis lib call");
    return true;
  }
  limits_.count_memory(false);  // of the model's own, with objects that a longjmp would skip
  if (!read_words(lua, words_)) {
    push_error_table(lua, "Lua redis lib command arguments must be strings or integers");
    limits_.count_memory(true);
    return true;
  }
  std::size_t size_bytes = 0;
  for (const std::string& word : words_) size_bytes += LuaLimits::bytes_per_instruction + word.size();
  if (limits_.charge(caller_->elements_to_look_at(words_) * words_.size() / elements_per_instruction)) {
    push_error_table(lua, "Script had a command look at too much and was stopped");
    limits_.count_memory(true);
    return true;
  }
  const Reply reply = caller_->call(words_);
  size_bytes += size_of(reply, limits_);
  limits_.charge(size_bytes / LuaLimits::bytes_per_instruction);
  push_reply(lua, reply);
  limits_.count_memory(true);
  return reply.is_error();
}

std::int64_t ScriptEngine::next_random() {
  constexpr std::uint64_t mask = (std::uint64_t{1} << 48U) - 1;
  random_ = (random_ * 0x5DEECE66DU + 0xBU) & mask;
  return static_cast<std::int64_t>(random_ >> 17U);
}

}  // namespace holdfast::redis
