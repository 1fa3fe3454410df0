// The stores that holdfast knows: one line each, in the order in which catalogs list their locks.
//
// For a line STORE(redis) there have to be, in namespace holdfast:
//   const Store& redis_store();                          harness/stores/redis/store.cpp
//   std::span<const LockFamily> redis_families();        locks/redis/catalog.cpp
//   std::vector<MutantEntry> redis_mutants();            locks/redis/mutants/catalog.cpp
// That is all that the rest of holdfast takes from a store's folders.
#pragma once

// The tests of harness/seam have one more, and compile whatever reads this list once more for that.
#ifdef HOLDFAST_HAS_PORTER
#define HOLDFAST_STORES_OF_TESTS(STORE) STORE(porter)
#else
#define HOLDFAST_STORES_OF_TESTS(STORE)
#endif

// clang-format off
#define HOLDFAST_STORES(STORE) \
  STORE(local)                 \
  STORE(redis)                 \
  HOLDFAST_STORES_OF_TESTS(STORE)
// clang-format on
