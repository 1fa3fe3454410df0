// The protected resource of a live run: a register behind TCP, see storage_wire.h.
//
// Works on an io_context of one thread. Each client thread has a port of its own, so that storage knows who
// asks without being told.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "harness/stores/storage/storage.h"

namespace holdfast::live {

class StorageService {
 public:
  // Told of every request that was decided; `door` is what listen() was given.
  using Observer = std::function<void(std::size_t door, const StorageRequest& request,
                                      const StorageRegister::Decision& decision)>;

  StorageService(boost::asio::io_context& context, const StorageOptions& options, Observer observer);
  StorageService(const StorageService&) = delete;
  StorageService& operator=(const StorageService&) = delete;
  ~StorageService();

  // Opens a port of the loopback address. Throws LiveError if there is none.
  std::uint16_t listen(std::size_t door);

 private:
  class Connection;
  struct Door {
    Door(boost::asio::io_context& context, std::size_t door) : acceptor(context), number(door) {}
    boost::asio::ip::tcp::acceptor acceptor;
    std::size_t number;
  };

  void accept(Door& door);

  boost::asio::io_context& context_;
  Observer observer_;
  StorageRegister register_;
  std::vector<std::unique_ptr<Door>> doors_;
  std::vector<std::weak_ptr<Connection>> connections_;
};

}  // namespace holdfast::live
