#include "harness/machine/process/secret.h"

#include <fmt/format.h>

#include <array>
#include <fstream>

#include "harness/machine/process/live_error.h"

namespace holdfast::live {

std::string new_secret() {
  std::array<char, 16> bytes{};
  std::ifstream source("/dev/urandom", std::ios::binary);
  if (!source.read(bytes.data(), bytes.size())) {
    throw LiveError("/dev/urandom cannot be read, which the passwords of the servers are made from.");
  }
  std::string secret;
  for (const char byte : bytes) {
    secret += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return secret;
}

}  // namespace holdfast::live
