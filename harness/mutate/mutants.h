// The mutants of a lock: one for each thing that can be wrong with it.
//
// They are found, not listed: a few runs of the lock show what it calls and asks, and every operator is
// applied wherever it can change something. What is found depends on the lock alone, so a mutant's id says
// which one it is: LOCK~MUTATION, such as redis-px-cad~without-NX@acquire:SET. It is a lock like any other,
// and goes wherever a command takes the id of one.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/mutate/mutation.h"
#include "locks/catalog.h"

namespace holdfast {

class MutatedEntry {
 public:
  MutatedEntry(const LockEntry& lock, std::unique_ptr<Mutation> mutation);
  MutatedEntry(const MutatedEntry&) = delete;
  MutatedEntry& operator=(const MutatedEntry&) = delete;
  ~MutatedEntry() = default;

  // The lock with the mutation, under the mutant's id.
  const LockEntry& entry() const { return entry_; }
  const Mutation& mutation() const { return *mutation_; }

 private:
  std::unique_ptr<Mutation> mutation_;
  std::string id_;
  LockEntry entry_;
};

using MutatedEntries = std::vector<std::unique_ptr<MutatedEntry>>;

// All of them, found anew. `lock` is not one itself, and outlives them.
MutatedEntries find_mutants(const LockEntry& lock);

// The same, found once and kept. Of a lock of the catalog or a mutant of the zoo; any thread may ask.
const MutatedEntries& mutants_of(const LockEntry& lock);

// The lock, the mutant of the zoo, or the mutant of either that has this id; nullptr: there is none.
const LockEntry* find_lock_or_mutant(std::string_view id);
// Throws BadInput with a "did you mean".
const LockEntry& lock_or_mutant_called(const std::string& id);

}  // namespace holdfast
