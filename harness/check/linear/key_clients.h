// The clients of one key, numbered from 0 for it alone: what a check keeps for each client is kept for those
// that ever called this key, however many others there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/history/call.h"

namespace holdfast::linear {

class KeyClients {
 public:
  ClientNumber number_of(ClientNumber client) {
    if (const std::optional<ClientNumber> known = find(client)) {
      return *known;
    }
    clients_.push_back(client);
    if (2 * clients_.size() > table_.size()) {
      rehash();
    } else {
      enter(static_cast<std::uint32_t>(clients_.size()));
    }
    return static_cast<ClientNumber>(clients_.size() - 1);
  }
  std::optional<ClientNumber> find(ClientNumber client) const {
    if (table_.empty()) {
      return std::nullopt;
    }
    for (std::size_t place = first_place(client); table_[place] != 0; place = next(place)) {
      if (clients_[table_[place] - 1] == client) {
        return table_[place] - 1;
      }
    }
    return std::nullopt;
  }
  // As the whole history numbers it.
  ClientNumber client(ClientNumber number) const { return clients_.at(number); }

 private:
  std::size_t first_place(ClientNumber client) const { return (client * 0x9e3779b1U) & (table_.size() - 1); }
  std::size_t next(std::size_t place) const { return (place + 1) & (table_.size() - 1); }
  void enter(std::uint32_t number_plus_one) {
    std::size_t place = first_place(clients_[number_plus_one - 1]);
    while (table_[place] != 0) {
      place = next(place);
    }
    table_[place] = number_plus_one;
  }
  void rehash() {
    table_.assign(table_.empty() ? 16 : 2 * table_.size(), 0);
    for (std::uint32_t number = 1; number <= clients_.size(); ++number) {
      enter(number);
    }
  }

  std::vector<ClientNumber> clients_;
  std::vector<std::uint32_t> table_;  // numbers, plus one; 0: free
};

}  // namespace holdfast::linear
