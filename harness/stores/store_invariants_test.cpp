// What must hold in the stores: each test breaks one rule, and wants to be told which.
#include <gtest/gtest.h>

#include "harness/kernel/require.h"
#include "harness/stores/redis/model/model_node.h"
#include "harness/stores/storage/storage.h"

namespace holdfast::store_invariants_test {

template <typename Action>
std::string broken_by(const Action& action) {
  try {
    action();
  } catch (const BrokenInvariant& broken) {
    return broken.what();
  }
  return "nothing was broken";
}

TEST(StoreInvariants, AWriteToStorageHasAnId) {
  StorageRegister storage;
  storage.reset({});
  StorageRequest write;
  write.kind = StorageRequest::Kind::write;
  const std::string sentence = broken_by([&] { storage.decide(write); });
  EXPECT_NE(sentence.find("every write has an id"), std::string::npos) << sentence;
}

TEST(StoreInvariants, ARedisCommandHasAWord) {
  redis::ModelNode server;
  redis::Node::Outputs outputs;
  const std::string sentence = broken_by([&] { server.submit({{}, 1}, {}, outputs); });
  EXPECT_NE(sentence.find("a Redis command has at least one word"), std::string::npos) << sentence;
}

TEST(StoreInvariants, AServerReplicatesFromAnother) {
  redis::ModelNode server({.keep_replication_log = true});
  const std::string sentence = broken_by([&] { server.replicate_from(server, 0, {}); });
  EXPECT_NE(sentence.find("a model replicates from another one that keeps a log"), std::string::npos)
      << sentence;
}

}  // namespace holdfast::store_invariants_test
