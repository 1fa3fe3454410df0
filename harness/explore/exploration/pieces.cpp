#include "harness/explore/exploration/pieces.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "harness/explore/parallel.h"
#include "harness/files/input_file.h"
#include "harness/files/output_file.h"
#include "harness/machine/stopwatch.h"
#include "harness/text/bad_input.h"

namespace holdfast {
namespace {

// Ends the work of all threads; what they have done so far stands.
struct TimeIsUp {};

class PieceRunner {
 public:
  PieceRunner(const ExplorePlan& plan, const std::string& directory, std::size_t jobs)
      : plan_(plan),
        directory_(directory),
        seconds_of_a_learner_(plan.seconds_of_a_learner(jobs)),
        sums_(plan.targets().size()) {}

  void run(Simulation& simulation, std::uint64_t number) {
    const PlannedPiece planned = plan_.piece(number);
    const std::optional<StoredPiece> there = stored(planned.name);
    const bool is_done = there && there->name.count == planned.name.count;
    PieceResult result = is_done ? there->result : explored(simulation, planned);
    const StoredPiece piece{planned.name, std::move(result)};
    if (!is_done && !directory_.empty() && piece.is_whole() && !is_longer(there, planned.name)) {
      write_file(piece_path(directory_, planned.name), to_json_text(piece), "a piece of the exploration");
    }
    one_at_a_time_([&] {
      fresh_runs_ += is_done ? 0 : piece.result.runs;
      sums_[planned.target].take(planned.place, piece.result);
    });
  }

  ExploredPieces finish() {
    ExploredPieces pieces;
    for (std::size_t target = 0; target < sums_.size(); ++target) {
      if (plan_.has_piece_of(target)) {
        pieces.targets.push_back({plan_.targets()[target].name, sums_[target].finish()});
      }
    }
    pieces.fresh_runs = fresh_runs_;
    return pieces;
  }

 private:
  // Of the same runs, or of fewer or more from the same one on (another --runs).
  std::optional<StoredPiece> stored(const PieceName& name) const {
    const std::string path = piece_path(directory_, name);
    if (directory_.empty() || !std::filesystem::exists(path)) {
      return std::nullopt;
    }
    StoredPiece piece = read_piece_file(path);
    if (!is_same_target(piece.name, name) || piece.name.first != name.first) {
      throw BadInput(
          fmt::format("{} belongs to another exploration (or another version of holdfast); choose another "
                      "--out, or remove it",
                      path));
    }
    return piece;
  }

  static bool is_longer(const std::optional<StoredPiece>& there, const PieceName& name) {
    return there && there->name.count > name.count;
  }

  PieceResult explored(Simulation& simulation, const PlannedPiece& planned) {
    const PlannedTarget& target = plan_.targets()[planned.target];
    begin_or_stop();
    const Stopwatch own;
    const auto is_time_up = [&] {
      return plan_.seconds() && (target.explorer->learns ? own.seconds() > seconds_of_a_learner_
                                                         : watch_->seconds() > *plan_.seconds());
    };
    return explore_piece(simulation, {.target = &target.target,
                                      .explorer = target.explorer,
                                      .seed = planned.name.seed,
                                      .first = planned.name.first,
                                      .count = planned.name.count,
                                      .stop_at_first = false,
                                      .is_time_up = is_time_up,
                                      .command = [&](std::uint64_t run) { return target.commands.of(run); }});
  }

  // Time begins with the first run: what is there already is read however long that takes.
  void begin_or_stop() {
    one_at_a_time_([&] {
      if (!watch_) {
        watch_.emplace();
      }
      if (plan_.seconds() && watch_->seconds() > *plan_.seconds()) {
        throw TimeIsUp{};
      }
    });
  }

  const ExplorePlan& plan_;
  const std::string& directory_;
  const double seconds_of_a_learner_;
  OneAtATime one_at_a_time_;  // guards what follows
  std::optional<Stopwatch> watch_;
  std::vector<PieceSum> sums_;
  std::uint64_t fresh_runs_ = 0;
};

}  // namespace

ExploredPieces run_pieces(const ExplorePlan& plan, const std::string& directory, std::size_t jobs,
                          const std::function<void(std::size_t done)>& on_done) {
  PieceRunner runner(plan, directory, jobs);
  const auto make_worker = [&]() -> ParallelWorker {
    const auto simulation = std::make_shared<Simulation>();
    return [&runner, simulation](std::size_t number) { runner.run(*simulation, number); };
  };
  try {
    in_parallel(plan.piece_count(), jobs, make_worker, on_done);
  } catch (const TimeIsUp&) {
    return runner.finish();
  }
  return runner.finish();
}

std::string piece_path(const std::string& directory, const PieceName& name) {
  return fmt::format("{}/pieces/{}--{}--{}.json", directory, name.lock, name.strategy, name.first);
}

StoredPiece read_piece_file(const std::string& path) {
  constexpr std::size_t largest_piece = 256'000'000;
  const WholeFile file = read_whole_file(path, largest_piece);
  if (file.error != 0) {
    throw BadInput(
        fmt::format("cannot read {}: {}; remove it, and it is explored again", path, file.problem));
  }
  return piece_from(file.text, path);
}

}  // namespace holdfast
