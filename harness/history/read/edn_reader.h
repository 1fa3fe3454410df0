// Reads histories of Jepsen and Knossos: EDN, one map per line, or one vector (or list) of maps over the
// file.
//
// Of an operation it takes :process, :type, :f, :value, :time and :index, in any order, from a map or from a
// record like #jepsen.history.Op{…}; other keys are skipped, and so are operations with an unknown tag. The
// vector is read element by element, so memory depends on clients, keys and distinct values only. What :f and
// :value may be: edn_operation.h and edn_call.h. Operations of :nemesis become faults: edn_nemesis.h.
//
// The order of the file is the order of time; where every operation has an :index, they must increase.
#pragma once

#include "harness/history/read/edn_call.h"
#include "harness/history/read/history_consumer.h"
#include "harness/history/read/history_summary.h"
#include "harness/history/read/source.h"

namespace holdfast {

// Throws HistoryError.
HistorySummary read_edn(Source& source, KeyMode key_mode, HistoryConsumer& consumer);

}  // namespace holdfast
