// Redis servers that the user already has: looked up, asked whether they answer, and left as they were found.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/stores/live_servers.h"
#include "harness/stores/redis/command.h"
#include "harness/stores/redis/server/live/key_keeper.h"

namespace holdfast::live {

class RedisUserServers final : public UserServers {
 public:
  // Throws LiveError as Store::attach says. `mark` is part of every key that the run writes.
  RedisUserServers(const std::vector<std::string>& endpoints, std::string password, std::string mark);
  // Deletes the keys with the mark, on servers that still answer. That happens too if we are killed.
  ~RedisUserServers() override;

  std::string name() const override { return text_; }
  std::optional<boost::asio::ip::tcp::endpoint> target(std::size_t server) override {
    return endpoints_.at(server);
  }
  // Keys in the commands that pass it are given a time to live.
  std::unique_ptr<Wire> make_wire() override;
  const std::string& mark() const override { return mark_; }
  void look_at_the_end() override;

 private:
  std::vector<boost::asio::ip::tcp::endpoint> endpoints_;
  std::string password_;
  std::string mark_;
  std::string text_;
  std::optional<KeyKeeper> keeper_;
};

}  // namespace holdfast::live
