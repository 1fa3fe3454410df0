// What must hold, said where it must.
#pragma once

namespace holdfast {

[[noreturn]] void requirement_failed(const char* what);

inline void require(bool condition, const char* what) {
  if (!condition) [[unlikely]] {
    requirement_failed(what);
  }
}

}  // namespace holdfast
