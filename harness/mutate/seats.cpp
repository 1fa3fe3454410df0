#include "harness/mutate/seats.h"

#include <utility>

namespace holdfast {

Seat::Seat(const SeatMaker& maker, Caller& me, Duration lease)
    : mutation_(me.env, lease),
      twist_(maker.twist(mutation_)),
      env_(me.env.kernel(), me.env.steps(), me.env.process(), me.env.thread()),
      neighbour_env_(me.env.kernel(), me.env.steps(), me.env.process(), me.env.thread() + 1),
      caller_{env_, stores_between(maker, me.stores)},
      neighbour_{neighbour_env_, caller_.stores} {
  if (twist_) {
    env_.twist(*twist_);
    neighbour_env_.twist(*twist_);
  }
}

const StoreClients& Seat::stores_between(const SeatMaker& maker, const StoreClients& honest) {
  stores_.reset(honest.store());
  for (std::size_t server = 0; server < honest.count(); ++server) {
    std::unique_ptr<StoreClient> client = maker.client(honest.at(server), server, honest.count(), mutation_);
    if (!client) {
      return honest;
    }
    stores_.add(std::move(client));
  }
  return stores_;
}

Seat& Seats::of(Caller& me) {
  std::unique_ptr<Seat>& seat = seats_[me.env.thread()];
  if (!seat) {
    seat = std::make_unique<Seat>(maker_, me, lease_);
  }
  return *seat;
}

}  // namespace holdfast
