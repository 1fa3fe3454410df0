// Servers that the user already has: looked up, asked whether they answer, and left as they were found.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/stores/redis/command.h"
#include "harness/stores/redis/server/key_keeper.h"

namespace holdfast::live {

class UserServers {
 public:
  // Throws LiveError if one of them (HOST:PORT) does not answer, refuses the password, or is named twice.
  // `mark` is part of every key that the run writes.
  UserServers(const std::vector<std::string>& endpoints, std::string password, std::string mark);
  UserServers(const UserServers&) = delete;
  UserServers& operator=(const UserServers&) = delete;
  // Deletes the keys with the mark, on servers that still answer. That happens too if we are killed.
  ~UserServers();

  // Of every command that passes to one of them: its keys are given a time to live.
  void note_words(const redis::Command& command);

  const std::vector<boost::asio::ip::tcp::endpoint>& endpoints() const { return endpoints_; }
  // What a connection has to say first; empty if there is no password.
  std::string greeting() const;
  // "127.0.0.1:6379, 127.0.0.1:6380"
  std::string text() const { return text_; }

 private:
  std::vector<boost::asio::ip::tcp::endpoint> endpoints_;
  std::string password_;
  std::string text_;
  std::optional<KeyKeeper> keeper_;
};

}  // namespace holdfast::live
