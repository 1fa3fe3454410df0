// The least of a duration or of an option that still does it: between what does not and what does.
#pragma once

#include <functional>

#include "harness/scenario/option.h"

namespace holdfast {

// Whether it still does it with this; if so it is kept.
using TryDuration = std::function<bool(const ScenarioDuration&)>;
using TryOption = std::function<bool(const OptionValue&)>;

// To the millisecond, on the same side of zero. What is no whole number of them is left as it is.
void shorten(const ScenarioDuration& now, Duration ttl, const TryDuration& attempt);

// As its row says: a shorter duration, a smaller count, else the usual.
void shrink_option(const Option& option, const OptionValue& now, Duration ttl, const TryOption& attempt);

}  // namespace holdfast
