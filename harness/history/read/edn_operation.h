// What the :f of a Jepsen history means: its authors call the same operation by many names.
#pragma once

#include <optional>
#include <string_view>

#include "harness/history/call.h"

namespace holdfast {

struct EdnOperation {
  Action action = Action::acquire;
  Mode mode = Mode::exclusive;
};

// Capitals, hyphens and underscores make no difference: try-lock, tryLock and try_lock are one.
std::optional<EdnOperation> edn_operation(std::string_view name);

}  // namespace holdfast
