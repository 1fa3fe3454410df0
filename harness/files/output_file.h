// Files that a user asked for, written with care.
#pragma once

#include <string>
#include <string_view>

namespace holdfast {

// The whole content under a temporary name beside its place, then renamed: a reader never sees half a file.
// Throws BadInput with one sentence that begins "cannot write <what> to <path>".
void write_file(const std::string& path, std::string_view content, std::string_view what);
// Throws the same if write_file could not even begin: to find out before long work, not after it.
void check_can_write(const std::string& path, std::string_view what);
}  // namespace holdfast
