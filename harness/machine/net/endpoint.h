// Where a server is reached.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::live {

// "127.0.0.1:6379", or "[::1]:6379"; a name is looked up. A host that begins with a slash is the path of a
// unix socket, which has no port.
struct Endpoint {
  std::string host;
  std::uint16_t port = 0;
};
std::string to_text(const Endpoint& endpoint);
// Throws LiveError if the text is not one.
Endpoint endpoint_from(std::string_view text);

}  // namespace holdfast::live
