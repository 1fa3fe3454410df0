// What the :value of an operation says, in the words of a CallEvent.
//
// Jepsen leaves the value to each test, so this is what its lock and register tests write:
// - an independent key comes as [key value]: see KeyMode; or the operation has a :key of its own beside its
//   :value. A return that names none is for the key that the client's invocation named;
// - of a lock: nothing, or what an ok acquire was granted: a number is its fencing token, and so is :fence or
//   :token in a map; false as the answer says that it was not granted. Who it is (:client, :uid, :owner) goes
//   without saying: :process knows;
// - of a register: the value, [old new] of a cas, or a map of :value and :fence or :token. What is no number
//   gets one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/history/call.h"
#include "harness/history/read/edn.h"
#include "harness/history/read/history_names.h"
#include "harness/history/read/name_table.h"

namespace holdfast {

enum class KeyMode : std::uint8_t {
  // A pair is [key value] if it is tagged so, if it is the value of a cas and its second part is a pair too,
  // and always if it is the value of another operation.
  automatic,
  pairs,  // every value is [key value]
  none,   // no value is: there is one lock and one register
  names,  // as automatic, and the value with which a lock's operation is invoked is the lock's name
};

class EdnCalls {
 public:
  explicit EdnCalls(KeyMode key_mode) : key_mode_(key_mode) {}

  // Completes an event whose type, operation and client are known; `key` is the operation's own, nil if it
  // has none. Returns what is wrong: empty if nothing.
  std::string_view complete(CallEvent& event, const EdnValue& value, const EdnValue& key,
                            HistoryNames& names);

  // By number, from first_named_value.
  const std::vector<std::string>& value_names() const { return value_names_.names(); }

 private:
  // The pair's second part, with the key noted; or the value as it is.
  const EdnValue* without_key(const EdnValue& value, const CallEvent& event);
  // What a lock's operation is invoked with may be the lock's name.
  std::string_view name_lock(const CallEvent& event, const EdnValue& value);
  void remember_key(const CallEvent& event);
  std::string_view complete_lock(CallEvent& event, const EdnValue& value);
  std::string_view complete_register(CallEvent& event, const EdnValue& value);
  std::optional<std::int64_t> number_of(const EdnValue& value);

  KeyMode key_mode_;
  NameTable value_names_;
  std::optional<std::string> key_;                     // of the event at hand
  bool no_pair_ = false;                               // KeyMode::pairs, and there was none
  std::vector<std::optional<std::string>> open_keys_;  // by client: what its invocation named
  std::optional<std::string> lock_value_;              // with which locks' operations were invoked so far
};

}  // namespace holdfast
