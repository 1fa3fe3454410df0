// A word that nobody can guess, for the servers of one run: their ports are open to every user of the
// machine.
#pragma once

#include <string>

namespace holdfast::live {

// 32 hexadecimal digits. Not a random choice of a run: nothing that is recorded depends on it.
std::string new_secret();

}  // namespace holdfast::live
