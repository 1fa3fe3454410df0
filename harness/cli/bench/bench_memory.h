// How much memory this process has needed.
#pragma once

namespace holdfast::cli {

// The most since the last forget_peak_memory(), or ever if the system does not let it be forgotten; 0 where
// the system does not tell.
double peak_memory_mb();
void forget_peak_memory();

}  // namespace holdfast::cli
