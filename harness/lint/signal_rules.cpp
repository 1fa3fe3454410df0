// The rule that signals go through one door, which refuses processes of 1 and less.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "harness/lint/rules.h"

namespace holdfast::lint {
namespace {

// Whatever sends a signal to a process, under every name that the system has for it.
bool names_a_sender(std::string_view word) {
  static constexpr std::array<std::string_view, 8> names = {
      "killpg",       "tkill",    "tgkill",          "pidfd_send_signal",
      "pthread_kill", "sigqueue", "rt_sigqueueinfo", "rt_tgsigqueueinfo"};
  for (const std::string_view prefix : {"SYS_", "__NR_"}) {
    if (word.starts_with(prefix)) {
      const std::string_view call = word.substr(prefix.size());
      return call == "kill" || std::ranges::find(names, call) != names.end();
    }
  }
  return std::ranges::find(names, word) != names.end();
}

// kill(process, number) of the system, but not a member of ours that takes nothing, and not a declaration.
bool is_call_of_kill(const Tokens& tokens, std::size_t index) {
  const bool declared =
      index > 0 && tokens.is_word(index - 1) && !tokens.is_any(index - 1, {"return", "else", "do"});
  return tokens.is(index, "kill") && tokens.is_free_call(index) && !tokens.is(index + 2, ")") && !declared;
}

}  // namespace

Findings find_signals(const SourceFile& file, const SourceFile&) {
  const Tokens tokens(file);
  Findings findings;
  for (std::size_t index = 0; index < tokens.size(); ++index) {
    if (tokens.is_word(index) && (names_a_sender(tokens[index].text) || is_call_of_kill(tokens, index))) {
      findings.push_back({tokens[index].line, tokens[index].text});
    }
  }
  return findings;
}

}  // namespace holdfast::lint
