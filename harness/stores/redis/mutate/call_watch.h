// Listens to what a lock says to Redis.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "harness/stores/mutation.h"
#include "harness/stores/redis/client.h"
#include "harness/stores/redis/mutate/call_site.h"

namespace holdfast::redis {

class RedisCallWatch final : public CallWatch {
 public:
  std::unique_ptr<StoreClient> watched(StoreClient& client, std::size_t server, MutationSeat& seat) override;
  std::vector<StoreMutation> mutations() const override;
  std::shared_ptr<const StoreChange> no_change() const override;

  // For its clients.
  std::size_t hear(const Command& command, std::size_t server, const MutationSeat& seat);
  void hear_answer(std::size_t site, const Answer& answer);
  void hear_order(std::size_t site, std::size_t next) { sites_[site].followed_by.insert(next); }
  void hear_subscription() { subscribes_ = true; }

 private:
  std::vector<HeardSite> sites_;
  bool subscribes_ = false;
};

// All that can be done wrong at these sites (operators.cpp).
std::vector<StoreMutation> mutations_at(const std::vector<HeardSite>& sites, bool subscribes);

}  // namespace holdfast::redis
