// What Jepsen's nemesis did, as faults that begin and end.
//
// Each of its actions stands in the history twice, when it starts and when it is done, both as :info. One
// that breaks something (:start, :start-partition, :kill, :pause) begins a fault when it starts; one that
// mends (:stop, :stop-partition, :heal, :resume, :recover, :reset) ends it when it is done; any other lasts
// from its first line to its second. A :start after a :kill starts processes again, so it mends.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/history/read/history_consumer.h"

namespace holdfast {

class EdnNemesis {
 public:
  // A line of the nemesis with this :f. Nothing: the line adds nothing to the one before.
  std::optional<FaultKind> on_line(std::string_view action);

 private:
  bool mends(std::string_view action) const;

  std::string open_;  // the action whose first line was seen, and not yet its second
  bool open_mends_ = false;
  bool killed_ = false;
};

}  // namespace holdfast
