#include "harness/kernel/require.h"

#include <stdexcept>

namespace holdfast {

void requirement_failed(const char* what) {
  throw std::logic_error(what);
}

}  // namespace holdfast
