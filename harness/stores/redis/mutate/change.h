// What is wrong with the calls of one site, and the client that does it wrong.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "harness/stores/redis/mutate/call_site.h"

namespace holdfast::redis {

enum class Wrong : std::uint8_t {
  nothing,
  not_sent,           // and taken for done, with the usual answer
  sent_twice,         // what is answered first counts
  sent_after_next,    // the next command overtakes it
  option_lost,        // Change::option, with its value if it has one
  lease_longer,       // a thousand times
  lease_shorter,      // a thousandth
  answer_before,      // the answer of the call before is taken for its own
  refusal_granted,    // whatever the server says, the usual answer is read
  error_granted,      // no answer, or an error, is taken for the usual answer
  error_refused,      // for a refusal
  sent_again,         // where there was no answer, once, word for word
  other_script,       // Change::script is sent instead
  cut_script,         // the same; it says what to do, and that is done command by command
  only_first_server,  // the others are not asked, and taken for done
  not_last_server,
  late,              // by most of a lease
  once_too_often,    // once more after a release
  for_other_thread,  // with the name of the thread's neighbour
  never_subscribed,
  subscribed_late,  // after the next command
  never_unsubscribed,
};

struct Change {
  Wrong wrong = Wrong::nothing;
  CallSite site;              // of a subscription: only its phase counts
  std::size_t next_site = 0;  // sent_after_next
  std::string option;         // option_lost: NX, PX …
  bool option_has_value = false;
  std::string script;  // instead of the site's
  Reply usual;
  Reply refusal;
};

std::shared_ptr<const StoreChange> make_change(Change change);

}  // namespace holdfast::redis
