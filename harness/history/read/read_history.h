// Reads a history, whoever wrote it: the one door for everything that checks files.
//
// Plain or gzip, JSON Lines or EDN; "-" is standard input. The file is streamed, so the consumer hears of the
// first call before the last is read, and of some even if the file turns out to be broken.
#pragma once

#include <string>
#include <variant>

#include "harness/history/read/edn_call.h"
#include "harness/history/read/history_consumer.h"
#include "harness/history/read/history_summary.h"
#include "harness/history/read/source.h"

namespace holdfast {

struct ReadOptions {
  KeyMode key_mode = KeyMode::automatic;  // of EDN only: in JSON Lines a key has a field of its own
};

// A summary, or one sentence that says what is wrong, where, and what to do.
using HistoryResult = std::variant<HistorySummary, std::string>;

HistoryResult read_history(const std::string& path, HistoryFormat format, const ReadOptions& options,
                           HistoryConsumer& consumer);
// The same for a source that is already open.
HistoryResult read_history(Source& source, HistoryFormat format, const ReadOptions& options,
                           HistoryConsumer& consumer);

// By the first bytes; by the name if there are none that tell.
HistoryFormat guess_format(std::string_view beginning, std::string_view name);

}  // namespace holdfast
