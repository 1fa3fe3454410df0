// For tests: a connection to a server of ours, by its socket, with the password that stands in its
// configuration.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "harness/stores/redis/server/connection.h"

namespace holdfast::live {

// Empty if it has none.
inline std::string password_beside(const std::filesystem::path& socket) {
  constexpr std::string_view word = "requirepass ";
  for (const char* name : {"redis.conf", "sentinel.conf"}) {
    std::ifstream file(socket.parent_path() / name);
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with(word)) {
        const std::string value = line.substr(word.size());
        return value.starts_with('"') ? value.substr(1, value.size() - 2)
                                      : value;  // as a Sentinel writes it anew
      }
    }
  }
  return {};
}

inline redis::Reply ask_by_socket(const std::filesystem::path& socket, const redis::Command& command) {
  return Connection(socket.string(), password_beside(socket)).execute(command);
}

}  // namespace holdfast::live
