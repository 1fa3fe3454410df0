// An exploration of several targets, and what was found of each.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/explore/campaign.h"
#include "harness/explore/piece_file.h"
#include "harness/explore/shrink.h"
#include "harness/scenario/shelf/shelf.h"

namespace holdfast {

inline constexpr std::string_view usual_scenario = "family-none";

// A finding as it is reported: shrunk, or if that is impossible as it was found.
struct ReportedFinding {
  std::uint64_t run = 0;
  ShrunkFinding story;
  bool is_shrunk = true;
  std::string command;               // that tells it again
  std::string command_in_directory;  // the same whatever the directory is called; no files: empty
};

// All pieces of one lock, scenario and strategy.
struct ExploredTarget {
  PieceName name;  // `first` and `count` mean nothing here
  PieceResult result;
  std::vector<ReportedFinding> findings{};
  std::vector<ExploreFinding> not_reproduced{};  // that did not come out a second time: bugs of ours
};

// Makes the targets that pieces are of, and reads each scenario only once. Throws BadInput or ScenarioError
// if a lock or scenario is gone.
class TargetShelf {
 public:
  explicit TargetShelf(const Shelf& shelf) : shelf_(shelf) {}

  const Shelf& shelf() const { return shelf_; }
  const Scenario& scenario(const std::string& name);
  ExploreTarget target(const PieceName& name);

 private:
  const Shelf& shelf_;
  std::vector<FaultSpec> menu_;
  std::map<std::string, Scenario> scenarios_;
};

// In the order of all_explorers(), each once. Throws BadInput if there is none of a name.
std::vector<const ExplorerEntry*> explorers_called(const std::vector<std::string>& names);
// How many clients and faults a strategy tries unless told otherwise.
std::uint32_t usual_clients(const ExplorerEntry& explorer);
std::uint32_t usual_faults(const ExplorerEntry& explorer);

// The commands that show the runs of a target again: "holdfast explore --lock redis-px-cad --strategy swarm
// --run 7", with every option that is not as usual. What they say of the scenario is looked up once, so that
// any thread may ask.
class RunCommands {
 public:
  RunCommands(const PieceName& name, TargetShelf& shelf);
  std::string of(std::uint64_t run) const;

 private:
  std::string target_;
  std::string options_;
};

// The finding shrunk, or as it was found; false if it does not come out again at all.
bool make_story(Simulation& simulation, const ExploreTarget& target, const ExploreFinding& finding,
                ReportedFinding& result);
// "redis-px-cad--swarm--V--gc-pause", with what is unusual about the target behind it.
std::string story_name(const PieceName& name, const ShrunkFinding& story);

// Shrinks the findings of each target, keeps the smallest of those that came to the same, and writes those to
// DIRECTORY/findings (none: ""). `on_shrunk` is told how many of how many are done.
void report_findings(std::vector<ExploredTarget>& targets, TargetShelf& shelf, const std::string& directory,
                     std::size_t jobs,
                     const std::function<void(std::size_t done, std::size_t all)>& on_shrunk);

// "redis-px-cad by swarm, run 7: its V did not come out again, …": one line, without its end.
std::string not_reproduced_text(const PieceName& name, const ExploreFinding& finding);

}  // namespace holdfast
