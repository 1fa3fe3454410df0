// One number for what all locks do: .ci/tests/same_in_debug_and_release.sh compares it between builds and
// address layouts. It is not written down anywhere, for it changes with every change of a lock.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "harness/kernel/fingerprint.h"
#include "harness/run/test_scenario.h"

namespace holdfast {
namespace {

std::uint64_t digest_of_all_locks(std::uint64_t first_seed) {
  const Scenario scenario = eventful_scenario();
  Simulation simulation;
  Fingerprint digest;
  for (const LockEntry& lock : all_locks()) {
    for (std::uint64_t seed = first_seed; seed < first_seed + 3; ++seed) {
      RunRequest request;
      request.scenario = &scenario;
      request.lock = &lock;
      request.seed = seed;
      digest.add(simulation.run(request).fingerprint);
      digest.add(lines_of(simulation.history()));
    }
  }
  return digest.value();
}

TEST(FingerprintDigest, IsTheSameASecondTimeAndAnotherForOtherSeeds) {
  const std::uint64_t digest = digest_of_all_locks(1);
  EXPECT_EQ(digest_of_all_locks(1), digest);
  EXPECT_NE(digest_of_all_locks(100), digest);
  RecordProperty("digest", to_hex(digest));
  if (std::getenv("HOLDFAST_PRINT_DIGEST") != nullptr) {
    std::cout << "digest: " << to_hex(digest) << "\n";
  }
}

}  // namespace
}  // namespace holdfast
