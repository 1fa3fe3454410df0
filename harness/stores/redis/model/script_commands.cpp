// EVAL, EVALSHA and SCRIPT.
#include "harness/stores/redis/model/command_table.h"
#include "harness/stores/redis/model/commands.h"
#include "harness/stores/redis/model/server.h"

namespace holdfast::redis::commands {
namespace {

// What redis.call may do, and how it words what it may not.
class CallFromScript final : public ScriptCaller {
 public:
  explicit CallFromScript(Call& eval) : eval_(eval) {}

  Reply call(const Command& words) override {
    const CommandInfo* const info = find_command(words.front());
    if (info == nullptr) return Reply::error("ERR Unknown Redis command called from script");
    if (!info->takes(words.size())) {
      return Reply::error("ERR Wrong number of args calling Redis command from script");
    }
    if (info->has(CommandFlag::no_script)) {
      return Reply::error("ERR This Redis command is not allowed from script");
    }
    if (info->has(CommandFlag::write) && eval_.server.is_replica()) return read_only_replica();
    return eval_.server.run(*info, eval_.connection, words, eval_.pushes);
  }

  std::uint64_t elements_to_look_at(const Command& words) const override {
    const CommandInfo* const info = find_command(words.front());
    if (info != nullptr && info->has(CommandFlag::walks_keys)) return eval_.database.key_count();
    return words.size() < 2 ? 0 : eval_.database.elements_at(words[1]);
  }

 private:
  Call& eval_;
};

struct ScriptWords {
  ScriptEngine::Words keys;
  ScriptEngine::Words arguments;
  std::optional<Reply> error;
};

ScriptWords split_words(const Call& call) {
  const std::optional<std::int64_t> key_count = call.integer(2);
  if (!key_count) return {{}, {}, not_an_integer()};
  const ScriptEngine::Words rest(call.words.begin() + 3, call.words.end());
  if (*key_count > static_cast<std::int64_t>(rest.size())) {
    return {{}, {}, Reply::error("ERR Number of keys can't be greater than number of args")};
  }
  if (*key_count < 0) return {{}, {}, Reply::error("ERR Number of keys can't be negative")};
  const auto keys = static_cast<std::size_t>(*key_count);
  return {rest.first(keys), rest.subspan(keys), std::nullopt};
}

Reply script_flush(Call& call) {
  const bool has_mode =
      call.size() == 3 && (is_option(call.word(2), "SYNC") || is_option(call.word(2), "ASYNC"));
  if (call.size() > 2 && !has_mode) {
    return Reply::error("ERR SCRIPT FLUSH only support SYNC|ASYNC option");
  }
  call.server.scripts().forget_scripts();
  return Reply::ok();
}

Reply script_exists(Call& call) {
  if (call.size() < 3) return wrong_arity("script|exists");
  std::vector<Reply> known;
  for (std::size_t index = 2; index < call.size(); ++index) {
    known.push_back(Reply::integer(call.server.scripts().knows(call.word(index)) ? 1 : 0));
  }
  return Reply::array(std::move(known));
}

}  // namespace

Reply eval(Call& call) {
  ScriptWords words = split_words(call);
  if (words.error) return *std::move(words.error);
  CallFromScript caller(call);
  return call.server.scripts().run_text(call.word(1), words.keys, words.arguments, caller);
}

Reply evalsha(Call& call) {
  constexpr std::size_t sha_length = 40;
  constexpr const char* no_script = "NOSCRIPT No matching script. Please use EVAL.";
  if (call.word(1).size() != sha_length) return Reply::error(no_script);
  ScriptWords words = split_words(call);
  if (words.error) return *std::move(words.error);
  CallFromScript caller(call);
  std::optional<Reply> reply =
      call.server.scripts().run_sha(call.word(1), words.keys, words.arguments, caller);
  return reply ? *std::move(reply) : Reply::error(no_script);
}

Reply script(Call& call) {
  const std::string& subcommand = call.word(1);
  if (is_option(subcommand, "LOAD")) {
    return call.size() == 3 ? call.server.scripts().load(call.word(2)) : wrong_arity("script|load");
  }
  if (is_option(subcommand, "EXISTS")) return script_exists(call);
  if (is_option(subcommand, "FLUSH")) return script_flush(call);
  return Reply::error("ERR unknown subcommand '" + subcommand + "'. Try SCRIPT HELP.");
}

}  // namespace holdfast::redis::commands
