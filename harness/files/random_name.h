// A part of a file's name that nobody can guess, so that nobody can be there first.
#pragma once

#include <string>

namespace holdfast {

// Twelve letters and digits. Has nothing to do with the choices of a run.
std::string random_name();

}  // namespace holdfast
