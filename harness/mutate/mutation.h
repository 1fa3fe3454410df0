// A mutation: one thing that is wrong with a lock, put around the correct one.
//
// The lock is the one of the catalog and knows nothing of it. What is wrong stands either between the lock
// and its store (harness/stores/mutation.h), or in what its Env tells it, or between it and the application.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "harness/stores/mutation.h"
#include "locks/mutation.h"

namespace holdfast {

// What can be wrong with locks of every store.
enum class GeneralWrong : std::uint8_t {
  nothing,  // a store's own change, or none
  // What the lock is told of itself and its clocks.
  thread_left_out,
  process_left_out,
  restart_unnoticed,
  old_id,
  same_id_for_all,
  wall_for_monotonic,
  monotonic_for_wall,
  clock_before_call,
  // What the application is told, and what it asked for.
  release_left_out,
  release_twice,
  release_by_neighbour,
  unknown_is_granted,
  refusal_is_granted,
  patience_ignored,
  shared_for_exclusive,
  token_before_grant,
  token_kept,
};

class Mutation final : public LockMutation {
 public:
  Mutation(MutationWords words, GeneralWrong wrong, std::shared_ptr<const StoreChange> change)
      : words_(std::move(words)), wrong_(wrong), change_(std::move(change)) {}
  explicit Mutation(StoreMutation mutation)
      : words_(std::move(mutation.words)), change_(std::move(mutation.change)) {}

  const MutationWords& words() const { return words_; }
  GeneralWrong wrong() const { return wrong_; }
  // Between the lock and its store; nullptr: nothing.
  const StoreChange* change() const { return change_.get(); }

  std::unique_ptr<Lock> applied_to(std::unique_ptr<Lock> lock) const override;
  std::unique_ptr<Latch> applied_to(std::unique_ptr<Latch> latch,
                                    const LockSettings& settings) const override;

 private:
  MutationWords words_;
  GeneralWrong wrong_ = GeneralWrong::nothing;
  std::shared_ptr<const StoreChange> change_;
};

}  // namespace holdfast
