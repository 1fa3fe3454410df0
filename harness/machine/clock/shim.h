// The preloaded library (preload/) that puts a libc program on a clock page. It travels inside the holdfast
// binary, so that there is no second file to install or to lose, and is written out where it is needed.
#pragma once

#include <filesystem>

namespace holdfast {

// Writes the library to `file`, at once and whole: programs that start meanwhile see the old one or the new
// one. A std::runtime_error of one sentence if that cannot be done.
void write_clock_shim(const std::filesystem::path& file);

// The library where a program can load it: in `directory` or, where nothing may be executed (a mount with
// noexec), in memory of ours, which it finds as long as we run. Empty: neither can be loaded.
std::filesystem::path loadable_clock_shim(const std::filesystem::path& directory);

}  // namespace holdfast
