// How long the general checker takes for what it is mostly asked: short histories of a compare-and-set
// register, in which some calls timed out.
#pragma once

#include <cstdint>
#include <functional>

#include "harness/check/linear/general.h"

namespace holdfast::linear {

struct CheckMeasureOptions {
  std::uint32_t histories = 1000;
  std::uint32_t calls = 100;
  std::uint32_t clients_min = 5;
  std::uint32_t clients_max = 10;
  std::uint32_t values = 5;
  std::uint32_t info = 70;        // thousandths of the calls that time out
  std::uint32_t corrupted = 500;  // thousandths of the histories
  std::uint64_t first_seed = 1;
  Limits limits;  // of each history
};

struct CheckMeasure {
  double median_seconds = 0;
  double max_seconds = 0;
  std::uint64_t slowest_seed = 0;
  std::uint32_t linearizable = 0;
  std::uint32_t violated = 0;
  std::uint32_t unknown = 0;
  double info_share = 0;  // of the calls
  std::size_t memory_bytes_max = 0;
};

// `seconds` reads a clock; only checking is measured.
CheckMeasure measure_general(const CheckMeasureOptions& options, const std::function<double()>& seconds);

}  // namespace holdfast::linear
