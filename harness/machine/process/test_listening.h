// For tests: on which addresses a process listens, and so who can reach it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace holdfast::live {

struct ListeningPort {
  std::string address;  // in the kernel's spelling: "0100007F" is 127.0.0.1
  int port = 0;
};

// The inodes of a process's sockets, as /proc/net/tcp names them.
inline std::set<std::string> sockets_of(pid_t process) {
  std::set<std::string> inodes;
  const std::string directory = "/proc/" + std::to_string(process) + "/fd";
  std::error_code ignored;
  for (const auto& each : std::filesystem::directory_iterator(directory, ignored)) {
    const std::string target = std::filesystem::read_symlink(each.path(), ignored).string();
    if (target.starts_with("socket:[")) {
      inodes.insert(target.substr(8, target.size() - 9));
    }
  }
  return inodes;
}

inline std::vector<ListeningPort> ports_of(pid_t process) {
  const std::set<std::string> inodes = sockets_of(process);
  std::vector<ListeningPort> ports;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream lines(table);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string word[10];
      for (std::string& each : word) {
        words >> each;
      }
      constexpr const char* listening = "0A";
      if (word[3] == listening && inodes.contains(word[9])) {
        const std::size_t colon = word[1].find(':');
        ports.push_back({word[1].substr(0, colon), std::stoi(word[1].substr(colon + 1), nullptr, 16)});
      }
    }
  }
  return ports;
}

}  // namespace holdfast::live
