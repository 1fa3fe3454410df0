#include "harness/stores/redis/server/bench/bare_loop.h"

#include "harness/machine/process/one_processor.h"
#include "harness/machine/stopwatch.h"

namespace holdfast::redis {

double bare_commands_per_second(NodeMaker& servers, std::uint64_t commands) {
  const live::StaysOnProcessor stays;  // as a run does
  Node& server = servers.make(0, {.servers = 1});
  const Request request{make_command("SET", "lock", "c1", "PX", 10000), 1};
  Node::Outputs outputs;
  std::int64_t wall_us = 1'767'225'600'000'000;
  const Stopwatch watch;
  for (std::uint64_t done = 0; done < commands; ++done) {
    wall_us += 1000;
    server.submit(request, {std::chrono::microseconds(wall_us), 0ns}, outputs);
  }
  return static_cast<double>(commands) / watch.seconds();
}

}  // namespace holdfast::redis
