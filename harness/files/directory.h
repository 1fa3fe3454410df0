// Directories that files are written into.
#pragma once

#include <string>

namespace holdfast {

// DIRECTORY/PART, and all directories above it. Throws BadInput with one sentence.
void make_directory(const std::string& directory, const std::string& part);

}  // namespace holdfast
