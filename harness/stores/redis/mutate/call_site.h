// Where a lock calls Redis: a command, or one script, in one phase of the lock.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "harness/stores/mutation.h"
#include "harness/stores/redis/command.h"
#include "harness/stores/redis/reply.h"

namespace holdfast::redis {

struct CallSite {
  CallPhase phase = CallPhase::acquire;
  std::string command;  // "SET"
  std::string script;   // of EVAL
  std::string place;    // "acquire:SET"; the second script of a phase is "release:EVAL-2"

  bool is_of(CallPhase its_phase, const Command& sent) const {
    return phase == its_phase && command == sent.front() &&
           (script.empty() || (sent.size() > 1 && sent[1] == script));
  }
};

// A site, and what was heard there.
struct HeardSite : CallSite {
  Command words;               // as sent first
  std::optional<Reply> good;   // the first answer, before anybody was in the way
  std::optional<Reply> other;  // one that differs: a refusal, mostly
  std::set<std::size_t> servers;
  std::set<std::size_t> followed_by;  // sites, in the same phase of the same thread
  bool has_word_of_lease = false;
  bool has_name_of_thread = false;
};

// The word with another lease, if it is one: in milliseconds, in seconds, or as the time at which it ends.
// `factor_per_mille`: 1,000,000 makes it a thousand times as long.
std::optional<std::string> with_other_lease(std::string_view word, const MutationSeat& seat,
                                            std::int64_t factor_per_mille);
// Where the words that belong to the lock begin: behind the command, or the script and its number of keys.
std::size_t first_own_word(const Command& command);
// The word with the next thread's name in place of this one's, if it is in it.
std::optional<std::string> with_other_thread(std::string_view word, const Env& env);

}  // namespace holdfast::redis
