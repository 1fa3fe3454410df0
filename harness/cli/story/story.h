// The picture of a run: a column for each client, server and the storage, a line for each event that matters.
//
//         c1                    c2                    redis                    storage
//     0.000 acquire
//     0.001                                           c1 SET lock … → OK
//     0.001 ┃ granted #1
//     0.300 ┃░▒▒ pauses for 15 s
//    10.002 ┃░                  ┃ granted #2
//
// Left of a client's text a bar (┃) stands while it believes it holds the lock (║ where two that share a
// column do), and shade (░) while a fault lasts on the process. A line that shows a violation begins with ✗;
// under the last of them stands the verdict.
#pragma once

#include <string>
#include <vector>

#include "harness/check/verdict.h"
#include "harness/cli/terminal/terminal.h"
#include "harness/history/history.h"

namespace holdfast::cli {

// `processes` in the order of their columns. Those without an event get none. When the columns would be too
// narrow to read, servers share one column, and if need be clients another.
std::string story_picture(const History& history, const std::vector<ProcessId>& processes,
                          const std::vector<Verdict>& verdicts, const Terminal& terminal);

}  // namespace holdfast::cli
