// What many measurements come to: percentiles, and how evenly something was shared.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/kernel/time.h"

namespace holdfast::live {

// All zero if nothing was measured.
struct Percentiles {
  Duration p50{0};
  Duration p95{0};
  Duration p99{0};
  Duration max{0};
};
// By nearest rank, so each is a measurement that was made: the least that at least p % do not exceed.
Percentiles percentiles_of(std::vector<Duration> measured);

// Jain's index: (Σx)² / (n Σx²). 1: all got the same; 1/n: one got everything. Nobody got anything: 1.
// (R. Jain, D. Chiu, W. Hawe, "A Quantitative Measure of Fairness", DEC-TR-301, 1984.)
double jain_index(std::span<const std::uint64_t> shares);

// The middle one, of an even number the lower middle one. There must be one.
double middle_of(std::vector<double> values);

}  // namespace holdfast::live
