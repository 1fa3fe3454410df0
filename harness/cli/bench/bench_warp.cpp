// How many commands a second a real server carries out in runs on virtual time, and how that compares with a
// bare loop: one command after the other to such a server, over such a socket, its clock set before each.
//
// The two take turns, and medians are compared, so that a machine that is busy for a while spoils neither
// alone.
#include <algorithm>
#include <memory>
#include <vector>

#include "harness/cli/bench/bench.h"
#include "harness/live/bench/statistics.h"
#include "harness/machine/stopwatch.h"

namespace holdfast::cli {
namespace {

constexpr std::uint64_t most_turns = 11;
constexpr std::uint64_t bare_requests = 2000;  // of a turn

}  // namespace

WarpSpeed measure_warp(std::uint64_t runs, RealServerSet& servers, const live::ServerPrograms& programs) {
  const Store& store = pipeline_store();
  const std::unique_ptr<RealServers> bare_servers = store.start_real(programs);
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
    bare.push_back(store.bare_rate(*bare_servers, bare_requests));
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
