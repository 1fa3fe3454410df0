// What a thread has of a store: one client for each server of the lock.
//
// Each store derives its own client (redis::Client) and gives the locks a function that finds it
// (redis::client(me)); nothing else looks behind this.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/kernel/frame_pool.h"
#include "harness/kernel/require.h"

namespace holdfast {

class StoreClient : public frame_pool::Pooled {
 public:
  StoreClient() = default;
  StoreClient(const StoreClient&) = delete;
  StoreClient& operator=(const StoreClient&) = delete;
  virtual ~StoreClient() = default;
};

// The clients of one thread, in the order of the servers. They die with their thread's process.
class StoreClients {
 public:
  // `store` is the id of the store that they are of; a constant.
  void reset(std::string_view store) {
    store_ = store;
    clients_.clear();
  }
  void add(std::unique_ptr<StoreClient> client) { clients_.push_back(std::move(client)); }

  std::size_t count() const { return clients_.size(); }
  std::string_view store() const { return store_; }
  // Of whatever store it is.
  StoreClient& at(std::size_t server) const {
    require(server < clients_.size(), "there is a client for each server");
    return *clients_[server];
  }
  template <typename Client>
  Client& get(std::size_t server) const {
    require(Client::store_id == store_, "a lock uses the store that its catalog entry names");
    require(server < clients_.size(), "a lock uses no more servers than its catalog entry asks for");
    return static_cast<Client&>(*clients_[server]);
  }

 private:
  std::string_view store_;
  std::vector<std::unique_ptr<StoreClient>> clients_;
};

// Of an operation on a store, as locks see it: an answer, or why there is none.
template <typename Answer>
concept StoreAnswer = requires(const Answer& answer) {
  { answer.failed() } -> std::convertible_to<bool>;  // no answer: what the server did is unknown
  { answer.problem() } -> std::convertible_to<std::string>;
};

}  // namespace holdfast
