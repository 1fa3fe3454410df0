// What a lock sees of a porter: named locks, which it hands out one after the other.
//
// Whoever asks for a lock that is taken is answered when its turn comes. A lock belongs to the connection
// that asked for it and ends with it; so a client that gives a connection up holds nothing any more.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/env/call_error.h"
#include "harness/kernel/task.h"
#include "harness/stores/store_client.h"

namespace holdfast::porter {

struct Answer {
  CallError error = CallError::none;
  std::string word;        // "granted", "released", "not yours"
  std::int64_t token = 0;  // of what was granted: greater than all before

  bool failed() const { return error != CallError::none; }
  std::string problem() const { return failed() ? std::string(to_text(error)) : word; }
};

class Client : public StoreClient {
 public:
  static constexpr std::string_view store_id = "porter";

  // `verb` is "lock" or "unlock". Without an answer in time the connection is given up, and another is made.
  virtual Task<Answer> ask(std::string verb, std::string lock) = 0;
  // How often it was told that somebody waits for a lock of its own.
  virtual std::size_t times_wanted() const = 0;
};

}  // namespace holdfast::porter
