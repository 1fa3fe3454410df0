// What can be done wrong with the files of a host (harness/stores/mutation.h).
#pragma once

#include <memory>

#include "harness/stores/mutation.h"

namespace holdfast::local {

std::unique_ptr<CallWatch> watch_files();

}  // namespace holdfast::local
