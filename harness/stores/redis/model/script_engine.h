// Lua scripts as redis-server 7.0.15 runs them: EVAL, EVALSHA, SCRIPT.
//
// A script is compiled when its text is first seen and then kept across resets; whether EVALSHA may know
// it is forgotten with each reset. A script that runs for ever, wants all memory (lua_limits.h), or returns
// more than anybody can read, is stopped with an error, where a real server would answer BUSY to everybody;
// what it has written stays, as it would. Lua's machine is not kept after a script that made much of it, so
// that no other one meets what is left of that: each script is then compiled again when it is wanted.
//
// math.random draws from one sequence over the server's life, as in 7.0 (older ones began anew with
// every script).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "harness/stores/redis/command.h"
#include "harness/stores/redis/model/lua_limits.h"
#include "harness/stores/redis/reply.h"

struct lua_State;

namespace holdfast::redis {

// Carries out what a script asks for with redis.call.
class ScriptCaller {
 public:
  ScriptCaller() = default;
  ScriptCaller(const ScriptCaller&) = delete;
  ScriptCaller& operator=(const ScriptCaller&) = delete;
  virtual ~ScriptCaller() = default;

  virtual Reply call(const Command& words) = 0;
  // How many elements of values, or keys, it may have to look at.
  virtual std::uint64_t elements_to_look_at(const Command& words) const = 0;
};

class ScriptEngine {
 public:
  ScriptEngine() = default;
  ScriptEngine(const ScriptEngine&) = delete;
  ScriptEngine& operator=(const ScriptEngine&) = delete;
  ~ScriptEngine();

  using Words = std::span<const std::string>;

  // EVAL: compiles the text if it is new, makes it known to EVALSHA and runs it.
  Reply run_text(const std::string& text, Words keys, Words arguments, ScriptCaller& caller);
  // EVALSHA: nothing when no script of that name (40 hexadecimal digits) is known.
  std::optional<Reply> run_sha(std::string_view sha, Words keys, Words arguments, ScriptCaller& caller);
  // SCRIPT LOAD: the script's name, or what the compiler says.
  Reply load(const std::string& text);
  bool knows(std::string_view sha) const;
  // SCRIPT FLUSH.
  void forget_scripts() { ++epoch_; }
  // As a new server.
  void reset();

 private:
  friend struct LuaFunctions;

  struct Script {
    std::string sha;
    std::string_view text;      // a key of by_text_
    int function = 0;           // a reference in Lua's registry
    std::uint64_t machine = 0;  // whose registry that is; compiled while equal to the engine's
    std::uint64_t epoch = 0;    // known to EVALSHA while equal to the engine's
  };

  void open();
  void close();
  // The error: the text is no script.
  std::optional<Reply> load_function(Script& script);
  Script* compile(const std::string& text, std::optional<Reply>& error);
  Script* find_known(std::string_view sha) const;
  Reply run(Script& script, Words keys, Words arguments, ScriptCaller& caller);
  // Of what a script returned, or raised.
  Reply reply_of(int status);
  void push_words(const char* name, Words words);
  // Pushes the reply to a redis.call whose arguments are on Lua's stack; true when it is an error.
  bool call_from_lua(lua_State* lua);
  std::int64_t next_random();

  LuaLimits limits_;
  lua_State* lua_ = nullptr;  // opened by the first script that wants it
  std::uint64_t machine_ = 0;
  int globals_ = 0;  // references in Lua's registry
  int error_handler_ = 0;
  std::unordered_map<std::string, std::unique_ptr<Script>> by_text_;
  std::unordered_map<std::string, Script*> by_sha_;
  std::uint64_t epoch_ = 1;

  // Of the script that is running.
  const Script* running_ = nullptr;
  ScriptCaller* caller_ = nullptr;
  Command words_;  // kept for its memory

  // The 48-bit linear congruential generator of POSIX drand48, with the state it has unseeded.
  static constexpr std::uint64_t random_unseeded = 0x1234ABCD330E;
  std::uint64_t random_ = random_unseeded;
};

}  // namespace holdfast::redis
