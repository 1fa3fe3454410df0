// Who listens to which channel. Receivers get a message in the order in which they subscribed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/kernel/process.h"

namespace holdfast::redis {

// A message of a channel, and whom it goes to.
struct Push {
  ConnectionId connection = no_connection;
  std::string channel;
  std::string payload;
};

class Subscriptions {
 public:
  void subscribe(ConnectionId connection, std::string_view channel);
  void unsubscribe(ConnectionId connection, std::string_view channel);
  void disconnect(ConnectionId connection);
  void clear();

  // How many channels the connection listens to.
  std::size_t count(ConnectionId connection) const;
  // In the order in which it subscribed.
  std::vector<std::string> channels(ConnectionId connection) const;
  // The number of receivers.
  std::int64_t publish(std::string_view channel, std::string_view payload, std::vector<Push>& pushes) const;

 private:
  std::map<std::string, std::vector<ConnectionId>, std::less<>> receivers_;
  std::map<ConnectionId, std::vector<std::string>> channels_;
};

}  // namespace holdfast::redis
