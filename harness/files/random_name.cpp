#include "harness/files/random_name.h"

#include <sys/random.h>

#include <array>
#include <string_view>

#include "harness/files/file_error.h"

namespace holdfast {

std::string random_name() {
  constexpr std::string_view letters = "0123456789abcdefghijklmnopqrstuv";
  std::array<unsigned char, 12> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw FileError("the system gives no random bytes, which temporary files are named by");
  }
  std::string name;
  for (const unsigned char byte : bytes) {
    name += letters[byte % letters.size()];
  }
  return name;
}

}  // namespace holdfast
