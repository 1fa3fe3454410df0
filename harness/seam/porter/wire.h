// The bytes of a porter, line by line: what a proxy of a live run would read.
//
//   server  porter 1            speaks first, before anybody asked
//   client  lock door
//   client  ping                that it is there, of its library's own accord: no step of its client's
//   server  ! wanted door       unasked, to a holder
//   server  granted 7           to the oldest request that was not answered yet
#pragma once

#include <deque>
#include <string>

#include "harness/machine/proxy/wire.h"

namespace holdfast::porter {

class PorterWire final : public live::Wire {
 public:
  std::optional<live::WireMessage> feed(live::Direction direction, std::string_view bytes) override;

 private:
  bool was_greeted_ = false;
  std::deque<std::string> asked_;
};

}  // namespace holdfast::porter
