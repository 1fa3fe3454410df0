#include "harness/stores/redis/server/known_scripts.h"

#include <algorithm>
#include <string_view>

namespace holdfast::live {
namespace {

// A server that is never told to forget keeps every script it ever saw.
constexpr std::size_t most_runs_put_off = 1000;

bool is(const redis::Command& command, std::string_view name) {
  return !command.empty() && std::ranges::equal(command.front(), name, [](char a, char b) {
    return (a >= 'a' && a <= 'z' ? static_cast<char>(a - 'a' + 'A') : a) == b;
  });
}

bool is_evaluation(const redis::Command& command) {
  return is(command, "EVAL") && command.size() >= 3;
}

// Whether its answer, or that of one that follows, may depend on what ran before.
bool can_tell(const redis::Command& command) {
  return is(command, "EVALSHA") || is(command, "SCRIPT") || is(command, "MULTI") ||
         (is_evaluation(command) && command[1].find("random") != std::string::npos);
}

// Refused for its words, before the script was looked at. (One that does not compile is not kept, now or
// later.)
bool was_not_kept(const redis::Reply& reply) {
  return reply.is_error() && (reply.text.starts_with("ERR wrong number of arguments") ||
                              reply.text.starts_with("ERR value is not an integer") ||
                              reply.text.starts_with("ERR Number of keys"));
}

}  // namespace

void KnownScripts::begin_run() {
  has_others_ = has_any_;
  of_this_run_.clear();
  runs_put_off_ += has_others_ ? 1 : 0;
}

std::vector<redis::Command> KnownScripts::before(const redis::Command& command) {
  const bool is_due = can_tell(command) || (is_evaluation(command) && runs_put_off_ > most_runs_put_off);
  std::vector<redis::Command> words;
  if (has_others_ && is_due) {
    words.push_back(redis::make_command("SCRIPT", "FLUSH"));
    for (const std::string& text : of_this_run_) {
      words.push_back(redis::make_command("SCRIPT", "LOAD", text));
    }
    of_this_run_.clear();
    has_others_ = false;
    runs_put_off_ = 0;
  }
  return words;
}

void KnownScripts::answered(const redis::Command& command, const redis::Reply& reply) {
  if (is(command, "EVALSHA") || is(command, "SCRIPT") || is(command, "EXEC")) {
    has_any_ = true;
  }
  if (!is_evaluation(command)) {
    return;
  }
  has_any_ = true;
  const bool is_new = std::ranges::find(of_this_run_, command[1]) == of_this_run_.end();
  if (has_others_ && is_new && !was_not_kept(reply)) {
    of_this_run_.push_back(command[1]);
  }
}

}  // namespace holdfast::live
