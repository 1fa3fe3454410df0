// math.random: scripts that a real server ran, run again by the model.
#include "harness/stores/redis/model/test_session.h"

namespace holdfast::redis {
namespace {

TEST(ScriptRandom, math_random_draws_one_sequence_over_the_servers_life) {
  expect_scripts({
      {"return math.random(0)",
       "ERR user_script:1: bad argument #1 to 'random' (interval is empty) script: "
       "008bcb60f86ee36d26c67b641b46674578d9cba0, on @user_script:1."},
      {"return {math.random(1000),math.random(5,9),tostring(math.random())}",
       "[841, 6, \"0.44658343468168\"]"},
      {"return {math.random(1000),math.random(5,9),tostring(math.random())}",
       "[319, 9, \"0.015582849278852\"]"},
      {"math.randomseed(7) return {math.random(1000),math.random(5,9),tostring(math.random())}",
       "[267, 8, \"0.26549059351231\"]"},
      {"math.randomseed(-7) return {math.random(1000),math.random(5,9),tostring(math.random())}",
       "[76, 9, \"0.9272527182136\"]"},
      {"return math.random(1,2,3)",
       "ERR user_script:1: wrong number of arguments script: 5cd983b5db563301a1c7ab05351573640323e7a9, on "
       "@user_script:1."},
      {"return math.random('x')",
       "ERR user_script:1: bad argument #1 to 'random' (number expected, got string) script: "
       "d36aee4c433f6d1a257f71070b6a0b37a40bbb04, on @user_script:1."},
  });
}

}  // namespace
}  // namespace holdfast::redis
