// Reads holdfast's own histories: JSON Lines, as harness/history/README.md describes them.
//
// Streams: memory depends on the number of clients and keys, not on the length of the file. A first line that
// says what the run was and a last one that says that it is whole are welcome, but other tools may leave them
// out. Blank lines are skipped.
//
// Where the file says one thing and a checker needs another:
// - a fail of a try-acquire is what the service answered, so it becomes an ok that is refused, unless
//   the line says "refused":false; "refused":true does the same to any other fail;
// - died and lost-hold become `ended`, for every client of the process if the line names no thread;
// - applied, stored and rejected are the servers' own view, which a checker of calls does not hear of.
#pragma once

#include "harness/history/read/history_consumer.h"
#include "harness/history/read/history_summary.h"
#include "harness/history/read/source.h"

namespace holdfast {

// Throws HistoryError.
HistorySummary read_jsonl(Source& source, HistoryConsumer& consumer);

}  // namespace holdfast
