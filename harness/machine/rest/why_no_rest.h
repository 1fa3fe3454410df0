// Whether programs can be held on this machine (supervisor.h), found out by trying each thing that it takes.
#pragma once

#include <string>

namespace holdfast::rest {

// Empty, or one sentence that says what is missing and who forbids it. The answer of the first time is kept.
std::string why_no_rest();
// The same, found out anew.
std::string find_out_why_no_rest();

}  // namespace holdfast::rest
