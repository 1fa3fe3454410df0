// A lock that was made wrong on purpose: what is put around the correct one (harness/mutate).
#pragma once

#include <memory>

namespace holdfast {

class Lock;
class Latch;
struct LockSettings;

class LockMutation {
 public:
  LockMutation() = default;
  LockMutation(const LockMutation&) = delete;
  LockMutation& operator=(const LockMutation&) = delete;
  virtual ~LockMutation() = default;

  // Of one process. The mutation outlives the result.
  virtual std::unique_ptr<Lock> applied_to(std::unique_ptr<Lock> lock) const = 0;
  virtual std::unique_ptr<Latch> applied_to(std::unique_ptr<Latch> latch,
                                            const LockSettings& settings) const = 0;
};

}  // namespace holdfast
