// How many commands a second a real server carries out in runs on virtual time, and how that compares with a
// bare loop: one command after the other to such a server, over such a socket, its clock set before each.
//
// The two take turns, and medians are compared, so that a machine that is busy for a while spoils neither
// alone.
#include <algorithm>
#include <vector>

#include "harness/cli/bench/bench.h"
#include "harness/live/bench/statistics.h"
#include "harness/machine/stopwatch.h"
#include "harness/stores/redis/server/warp_factory.h"

namespace holdfast::cli {
namespace {

constexpr std::uint64_t most_turns = 11;
constexpr std::uint64_t bare_commands = 2000;  // of a turn

double bare_commands_per_second(live::WarpFactory& servers) {
  redis::Backend& server = servers.make(0, {.servers = 1});
  const redis::Command command = redis::make_command("SET", "lock", "c1", "PX", 10000);
  std::vector<redis::Push> pushes;
  std::int64_t wall_us = 1'767'225'600'000'000;
  const Stopwatch watch;
  for (std::uint64_t done = 0; done < bare_commands; ++done) {
    wall_us += 1000;
    server.execute(0, command, wall_us, pushes);
  }
  return static_cast<double>(bare_commands) / watch.seconds();
}

}  // namespace

WarpSpeed measure_warp(std::uint64_t runs, RealServerSet& servers) {
  live::WarpFactory bare_servers;
  const std::uint64_t turns = std::clamp<std::uint64_t>(runs / 100, 1, most_turns);
  const std::uint64_t runs_of_a_turn = runs / turns;
  std::vector<double> commands;
  std::vector<double> bare;
  std::vector<double> ratios;
  std::vector<double> per_second;
  std::vector<double> virtual_time;
  WarpSpeed speed;
  for (std::uint64_t turn = 0; turn < turns; ++turn) {
    const std::uint64_t before = servers.steps();
    const PipelineSpeed pipeline = measure_pipeline(runs_of_a_turn, &servers);
    speed.commands_per_run =
        static_cast<double>(servers.steps() - before) / static_cast<double>(runs_of_a_turn);
    per_second.push_back(pipeline.runs_per_second);
    virtual_time.push_back(pipeline.virtual_per_real_second);
    commands.push_back(speed.commands_per_run * pipeline.runs_per_second);
    bare.push_back(bare_commands_per_second(bare_servers));
    ratios.push_back(commands.back() / bare.back());
    speed.violated_runs += pipeline.violated_runs;
  }
  speed.runs_per_second = live::middle_of(per_second);
  speed.virtual_per_real_second = live::middle_of(virtual_time);
  speed.commands_per_second = live::middle_of(commands);
  speed.bare_commands_per_second = live::middle_of(bare);
  speed.ratio = live::middle_of(ratios);
  return speed;
}

}  // namespace holdfast::cli
