// What a client process is told before it starts; see harness/live/PROTOCOL.md.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/machine/net/socket.h"
#include "harness/workload/workload.h"

namespace holdfast::live {

struct ThreadSetup {
  WorkPlan plan;
  std::vector<Endpoint> servers;
  Endpoint storage;
};

struct SetupMessage {
  std::string process;
  std::uint64_t seed = 1;
  std::uint32_t first_number = 0;  // its sessions and writes count on from here
  std::string lock;
  LockSettings settings;
  Duration command_timeout{0};
  bool reports_steps = false;
  std::string files;
  std::vector<ThreadSetup> threads;
};

inline constexpr int protocol_version = 1;

nlohmann::ordered_json to_json(const SetupMessage& setup);
// Throws LiveError if it is no setup, or of another version.
SetupMessage setup_message(const nlohmann::ordered_json& json);

}  // namespace holdfast::live
