#include "harness/live/bench/statistics.h"

#include <algorithm>
#include <cstddef>

namespace holdfast::live {

Percentiles percentiles_of(std::vector<Duration> measured) {
  if (measured.empty()) {
    return {};
  }
  std::sort(measured.begin(), measured.end());
  const auto at = [&](std::size_t percent) {
    const std::size_t rank = (measured.size() * percent + 99) / 100;  // counts from 1, rounded up
    return measured[rank - 1];
  };
  return {at(50), at(95), at(99), measured.back()};
}

double jain_index(std::span<const std::uint64_t> shares) {
  double sum = 0;
  double sum_of_squares = 0;
  for (const std::uint64_t share : shares) {
    const auto value = static_cast<double>(share);
    sum += value;
    sum_of_squares += value * value;
  }
  return sum_of_squares == 0 ? 1 : sum * sum / (static_cast<double>(shares.size()) * sum_of_squares);
}

double middle_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace holdfast::live
