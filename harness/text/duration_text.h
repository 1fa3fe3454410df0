// Durations and moments in words: the one place that writes "1.234 s".
#pragma once

#include <chrono>
#include <string>

namespace holdfast {

// "10.003": seconds, rounded to the millisecond, so that a reader finds the same moment in every text.
std::string seconds_number(std::chrono::nanoseconds time);
// "10.003 s"
std::string seconds_text(std::chrono::nanoseconds time);

// How long something took, in the unit that shows it: "10.003 s", "0.301 s", "0.3 ms", "45.6 µs", "7 ns". A
// unit is taken from a tenth of it on, rounded to its thousandth.
std::string length_text(std::chrono::nanoseconds length);

// "15 s", "250 ms", "1.5 ms", "3600.000000007 s": exact, however many digits that takes.
std::string to_text(std::chrono::nanoseconds duration);

// "1.500 s", "12.345 ms", "6.7 µs": what was measured, in the unit that shows most of it.
std::string measured_text(std::chrono::nanoseconds duration);

}  // namespace holdfast
