// What can be made wrong in what passes between a lock and its store: the seam of mutation testing
// (harness/mutate).
//
// A store that takes part listens to a lock (CallWatch) and says what it could do wrong there: each is a
// StoreMutation, whose StoreChange stands between the lock and its client of a server. The lock knows nothing
// of either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/env/env.h"
#include "harness/stores/store_client.h"

namespace holdfast {

// What a thread asked of its lock when the lock called the store.
enum class CallPhase : std::uint8_t {
  acquire,
  release,
  meanwhile,  // neither: a renewal, mostly
};
std::string_view to_text(CallPhase phase);

// A thread whose lock is watched or changed.
class MutationSeat {
 public:
  // `env` tells the truth and outlives this; `lease` is that of the lock.
  MutationSeat(Env& env, Duration lease) : env_(env), lease_(lease) {}
  MutationSeat(const MutationSeat&) = delete;
  MutationSeat& operator=(const MutationSeat&) = delete;

  Env& env() const { return env_; }
  Duration lease() const { return lease_; }
  CallPhase phase() const {
    return releasing_ > 0 ? CallPhase::release : acquiring_ > 0 ? CallPhase::acquire : CallPhase::meanwhile;
  }

  // For as long as the thread is in a call of its lock; also when it dies there.
  class Within {
   public:
    Within(MutationSeat& seat, CallPhase phase)
        : count_(phase == CallPhase::release ? seat.releasing_ : seat.acquiring_) {
      ++count_;
    }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;
    ~Within() { --count_; }

   private:
    std::uint32_t& count_;
  };

  // A call to the store begins, and has ended.
  void call_begins();
  void call_ended() { ended_ = env_.kernel().now(); }
  // What a clock showed when the call began that has ended at this very instant; none: there was none.
  std::optional<Duration> reading_before_call(ClockKind clock) const;

 private:
  Env& env_;
  Duration lease_;
  std::uint32_t acquiring_ = 0;
  std::uint32_t releasing_ = 0;
  Duration wall_before_{0};
  Duration monotonic_before_{0};
  std::optional<Duration> ended_;
};

// Stands between a lock and its clients. Of one mutation; threads of the operating system share it.
class StoreChange {
 public:
  StoreChange() = default;
  StoreChange(const StoreChange&) = delete;
  StoreChange& operator=(const StoreChange&) = delete;
  virtual ~StoreChange() = default;

  // `client` is the seat's client of the server of this number, of so many; it and the seat outlive the
  // result.
  virtual std::unique_ptr<StoreClient> applied_to(StoreClient& client, std::size_t server,
                                                  std::size_t servers, MutationSeat& seat) const = 0;
};

// What is said of a mutation.
struct MutationWords {
  std::string id;             // "not-sent@release:EVAL", unique within its lock
  std::string sentence;       // what is wrong
  std::string equivalent_if;  // a survivor may be no worse than the lock itself: when
  std::string unexercised;    // else this is what no run came to
};

struct StoreMutation {
  MutationWords words;
  std::shared_ptr<const StoreChange> change;
};

// Listens, for one lock, to whatever it says in a few runs.
class CallWatch {
 public:
  CallWatch() = default;
  CallWatch(const CallWatch&) = delete;
  CallWatch& operator=(const CallWatch&) = delete;
  virtual ~CallWatch() = default;

  // As StoreChange::applied_to(); this, too, outlives the result.
  virtual std::unique_ptr<StoreClient> watched(StoreClient& client, std::size_t server,
                                               MutationSeat& seat) = 0;
  // Of all that was heard; what can change nothing there is left out.
  virtual std::vector<StoreMutation> mutations() const = 0;
  // Changes nothing, but tells the seat when a call begins and ends. nullptr: there is none.
  virtual std::shared_ptr<const StoreChange> no_change() const { return nullptr; }
};

}  // namespace holdfast
