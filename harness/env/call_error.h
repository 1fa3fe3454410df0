// How a call to a server can fail without an answer. In each case the server may or may not have
// executed the request, except that `refused` means it certainly did not.
#pragma once

#include <cstdint>
#include <string_view>

namespace holdfast {

enum class CallError : std::uint8_t { none, timeout, reset, refused };

constexpr std::string_view to_text(CallError error) {
  switch (error) {
    case CallError::none:
      return "no error";
    case CallError::timeout:
      return "timed out";
    case CallError::reset:
      return "connection reset";
    case CallError::refused:
      return "connection refused";
  }
  return "unknown";
}

}  // namespace holdfast
