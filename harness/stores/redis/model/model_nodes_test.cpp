// Models are kept from run to run: how one is used must not show in the next.
#include "harness/stores/redis/model/model_nodes.h"

#include <gtest/gtest.h>

#include "harness/kernel/test_volume.h"
#include "harness/stores/redis/test_trio.h"

namespace holdfast::redis {
namespace {

using namespace test_trio;

TEST(ModelNodes, a_conversation_comes_out_the_same_whatever_was_said_before) {
  constexpr std::size_t steps_of_one = 40;
  const std::size_t conversations = how_many({.usual = 1500, .thorough = 6000, .sanitized = 200});
  ModelNodes used;
  for (std::size_t conversation = 0; conversation < conversations; ++conversation) {
    const AppendOnly append_only = std::array{AppendOnly::never, AppendOnly::always}[conversation % 2];
    ModelNodes fresh;
    Trio after_others(used, append_only);
    Trio alone(fresh, append_only);
    Draws draws(conversation);
    std::string so_far;
    for (std::size_t number = 0; number < steps_of_one; ++number) {
      const std::string expected = step(alone, draws);
      ASSERT_EQ(step(after_others, draws), expected) << "conversation " << conversation << " so far:\n"
                                                     << so_far;
      so_far += expected + "\n";
      draws.skip_a_step();
    }
  }
}

}  // namespace
}  // namespace holdfast::redis
