// What the fuzz targets of the two history formats have in common.
#pragma once

#include <string_view>

#include "harness/history/read/history_summary.h"

namespace holdfast::fuzz {

// Reads the bytes twice, whole and in small pieces, and requires that both times the same is heard.
void try_history(std::string_view bytes, HistoryFormat format);

}  // namespace holdfast::fuzz
