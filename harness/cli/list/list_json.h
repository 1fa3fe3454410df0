// The catalog of locks for programs.
#pragma once

#include <string>

namespace holdfast::cli {

// What `holdfast list locks --json` prints.
std::string locks_json_text();

}  // namespace holdfast::cli
