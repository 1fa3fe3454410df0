// The threads of a process whose lock is watched or changed: what each of them really is, and what the lock
// is told that it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "harness/stores/mutation.h"
#include "locks/lock.h"

namespace holdfast {

// Makes what stands between a lock and its world; nullptr: nothing does.
class SeatMaker {
 public:
  SeatMaker() = default;
  SeatMaker(const SeatMaker&) = delete;
  SeatMaker& operator=(const SeatMaker&) = delete;
  virtual ~SeatMaker() = default;

  virtual std::unique_ptr<StoreClient> client(StoreClient& honest, std::size_t server, std::size_t servers,
                                              MutationSeat& seat) const = 0;
  virtual std::unique_ptr<EnvTwist> twist(MutationSeat& seat) const = 0;
};

class Seat {
 public:
  Seat(const SeatMaker& maker, Caller& me, Duration lease);
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;

  MutationSeat& mutation() { return mutation_; }
  // What the lock is called with, as itself and as if it was the process's next thread.
  Caller& caller() { return caller_; }
  Caller& neighbour() { return neighbour_; }

 private:
  const StoreClients& stores_between(const SeatMaker& maker, const StoreClients& honest);

  MutationSeat mutation_;
  std::unique_ptr<EnvTwist> twist_;
  Env env_;
  Env neighbour_env_;
  StoreClients stores_;
  Caller caller_;
  Caller neighbour_;
};

// Of one process. A seat stays as long as the lock, for the lock's own tasks go on after a call.
class Seats {
 public:
  // `maker` outlives this.
  Seats(const SeatMaker& maker, Duration lease) : maker_(maker), lease_(lease) {}

  Seat& of(Caller& me);

 private:
  const SeatMaker& maker_;
  Duration lease_;
  std::map<std::uint32_t, std::unique_ptr<Seat>> seats_;  // by thread
};

}  // namespace holdfast
