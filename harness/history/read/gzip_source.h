// Unpacks gzip on the way: one member after the other, as gzip itself does with files that were joined.
//
// What it cannot unpack (a cut file, a wrong checksum, something else behind the end) is a HistoryError.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "harness/history/read/source.h"

namespace holdfast {

bool looks_like_gzip(std::string_view beginning);

// `name` is what sentences call the file.
std::unique_ptr<ByteSource> unpack_gzip(std::unique_ptr<ByteSource> packed, std::string name);

}  // namespace holdfast
