// Listens to a lock in a few runs, and says what could be wrong with it.
#pragma once

#include <memory>
#include <vector>

#include "harness/mutate/mutation.h"
#include "locks/catalog.h"

namespace holdfast {

// What a lock asked and was asked; of all its processes.
struct Heard {
  bool thread = false;
  bool process_name = false;
  bool unique_id = false;
  bool wall = false;
  bool monotonic = false;
  bool clock_after_call = false;  // at the very instant at which a call had ended
  bool refused = false;           // an acquire was
  bool token = false;
  bool patience = false;
  bool releases = false;
};

// Of the entry that carries it, for the runs that one operating-system thread makes of it.
class LockWatch final : public LockMutation {
 public:
  explicit LockWatch(const LockEntry& lock);
  ~LockWatch() override;

  std::unique_ptr<Lock> applied_to(std::unique_ptr<Lock> lock) const override;
  std::unique_ptr<Latch> applied_to(std::unique_ptr<Latch> latch,
                                    const LockSettings& settings) const override;

  // Of all that was heard: first what can be wrong with every lock, then its store's.
  std::vector<std::unique_ptr<Mutation>> mutations() const;

 private:
  struct Ears;
  const LockEntry& lock_;
  std::unique_ptr<Ears> ears_;
};

}  // namespace holdfast
