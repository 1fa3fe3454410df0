// A mark that a process hands down to all that it starts, whatever becomes of them: sessions of their own, a
// father that is gone, another title written over their environment.
//
// It is a limit that nobody ever reaches: how many microseconds (some 70,000 years) a process may compute as
// a real-time one without a pause. Limits are inherited, may only be lowered, and stand in /proc.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace holdfast::live {

struct DescentMark {
  std::uint64_t microseconds = 0;  // 0: none
};

// One that nobody else has, whatever mark we wear ourselves; none where the limit is too low already.
DescentMark new_descent_mark();

// Safe between fork and exec.
void wear(DescentMark mark) noexcept;
// For one who has to outlive whoever started us all, to clean up after him: nobody is known by this one.
void wear_mark_of_ones_own() noexcept;

bool is_worn_by(DescentMark mark, pid_t process);

}  // namespace holdfast::live
