// The clients and keys of a history that is being read: their numbers and names, and what goes without
// saying.
//
// A client is a thread of a process; thread 0 stands for a process that names no threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/history/call.h"
#include "harness/history/read/name_table.h"

namespace holdfast {

// The key of an operation that names none: "lock" of acquire, try-acquire and release, "latch" of count-down
// and await, "resource" of the others.
std::string_view usual_key(Action action);

class HistoryNames {
 public:
  std::uint32_t process(std::string_view name) { return processes_.number_of(name); }
  const std::string& process_name(std::uint32_t process) const { return processes_.name(process); }
  KeyNumber key(std::string_view name) { return keys_.number_of(name); }
  KeyNumber usual_key_of(Action action);

  ClientNumber client(std::uint32_t process, std::uint32_t thread);
  // Unless it was never heard of, or is dead.
  std::optional<ClientNumber> known_client(std::uint32_t process, std::uint32_t thread) const;
  // Whoever comes back under the same name is another client.
  void bury(ClientNumber client) { clients_[client].is_dead = true; }
  // The clients of a process that were heard of last under their names.
  std::vector<ClientNumber> clients_of(std::uint32_t process) const;

  // For `ended`, which names no key: the one that a client asked for last.
  void note_key(ClientNumber client, KeyNumber key) { clients_[client].last_key = key; }
  KeyNumber last_key(ClientNumber client) const { return clients_[client].last_key; }

  // By number, for a person: without control characters, and not long. A client is called like its process,
  // and c1:2 where the process has several.
  std::vector<std::string> client_names() const;
  std::vector<std::string> key_names() const;

 private:
  struct Client {
    std::uint32_t process = 0;
    std::uint32_t thread = 0;
    KeyNumber last_key = 0;
    bool is_dead = false;
  };

  NameTable processes_;
  NameTable keys_;
  PairTable threads_;                  // by process and thread
  std::vector<ClientNumber> current_;  // the client that each of them is now
  std::vector<Client> clients_;
};

}  // namespace holdfast
