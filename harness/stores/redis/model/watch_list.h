// WATCH: which connection wants to know whether which key changed before its EXEC.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "harness/kernel/process.h"

namespace holdfast::redis {

class WatchList {
 public:
  void add(ConnectionId connection, std::string_view key) {
    watches_.push_back({connection, std::string(key), false});
  }
  void remove(ConnectionId connection) {
    std::erase_if(watches_, [=](const Watch& watch) { return watch.connection == connection; });
  }
  void clear() { watches_.clear(); }

  void touch(std::string_view key) {
    for (Watch& watch : watches_) watch.changed = watch.changed || watch.key == key;
  }
  bool any_changed(ConnectionId connection) const {
    return std::ranges::any_of(
        watches_, [=](const Watch& watch) { return watch.connection == connection && watch.changed; });
  }
  std::vector<std::string> keys(ConnectionId connection) const {
    std::vector<std::string> found;
    for (const Watch& watch : watches_) {
      if (watch.connection == connection) found.push_back(watch.key);
    }
    return found;
  }

 private:
  struct Watch {
    ConnectionId connection;
    std::string key;
    bool changed;
  };

  std::vector<Watch> watches_;
};

}  // namespace holdfast::redis
