// For tests: what a fault was told, by the name of the row.
#pragma once

#include <algorithm>
#include <string_view>

#include "faults/catalog.h"

namespace holdfast {

inline OptionValue said(const FaultSpec& spec, std::string_view name) {
  return spec.options.value(*std::ranges::find(options_of(spec), name, &Option::name));
}

}  // namespace holdfast
