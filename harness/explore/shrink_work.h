// What clients do, made less and plainer, as part of making a finding small.
#pragma once

#include <functional>

#include "harness/explore/shrink.h"

namespace holdfast {

using ChangeFinding = std::function<void(ShrunkFinding& candidate)>;
// Keeps the change if the lock still breaks, and says so.
using Attempt = std::function<bool(const ChangeFinding& change)>;

// `best` is what has been kept so far, also while this goes on. Rounds and threads: all of them once, or what
// can be left out of them. `elsewhere` lets faults strike at other steps, of which there are fewer then.
void fewer_rounds(const ShrunkFinding& best, const Attempt& attempt, const Attempt& elsewhere);
// Work as long as it usually is, one lock object, all at once, nobody who gives up: as far as that is enough.
void plainer_work(const ShrunkFinding& best, const Attempt& attempt, const Attempt& elsewhere);

}  // namespace holdfast
