// A word of a command that is shown to be copied.
#pragma once

#include <string>

namespace holdfast {

// The word as a shell takes it for one word: quoted if it must be.
std::string shell_word(const std::string& word);

}  // namespace holdfast
