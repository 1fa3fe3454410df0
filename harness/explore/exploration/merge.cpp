#include "harness/explore/exploration/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "harness/explore/exploration/pieces.h"
#include "harness/text/bad_input.h"
#include "locks/lookup/lookup.h"

namespace holdfast {
namespace {

// The order of an exploration that was not made in parts: that of the catalogs.
class TargetOrder {
 public:
  TargetOrder() {
    for (const LockEntry* lock : every_lock()) {
      locks_.emplace(lock->id, locks_.size());
    }
    for (const ExplorerEntry& explorer : all_explorers()) {
      explorers_.emplace(explorer.name, explorers_.size());
    }
  }
  bool operator()(const PieceFile& one, const PieceFile& other) const {
    return key(one.name) < key(other.name);
  }

 private:
  using Key = std::tuple<std::size_t, std::size_t, const std::string&, std::uint64_t, std::uint32_t,
                         std::uint32_t, std::uint32_t, std::uint64_t, std::uint64_t>;
  // Of those that begin with the same run, the longest first.
  Key key(const PieceName& name) const {
    return {locks_.at(name.lock), explorers_.at(name.strategy),
            name.scenario,        name.seed,
            name.clients,         name.rounds,
            name.most_faults,     name.first,
            ~name.count};
  }

  std::map<std::string, std::size_t, std::less<>> locks_;
  std::map<std::string, std::size_t, std::less<>> explorers_;
};

std::vector<std::string> piece_paths(const std::string& directory) {
  std::error_code problem;
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(directory + "/pieces", problem)) {
    if (entry.path().extension() == ".json") {
      paths.push_back(entry.path().string());
    }
  }
  if (problem) {
    throw BadInput(fmt::format("{} has no pieces of an exploration: {}", directory, problem.message()));
  }
  std::ranges::sort(paths);
  return paths;
}

// What another version or another scenario of the same name found is not what would be replayed here.
void check_content(const PieceFile& file, TargetShelf& shelf) {
  if (content_hash(shelf.target(file.name)) != file.name.content) {
    throw BadInput(
        fmt::format("{} was made with another version of holdfast, or {} has changed since; explore anew",
                    file.path, file.name.scenario));
  }
}

bool is_same_work(const PieceName& one, const PieceName& other) {
  PieceName same = one;
  same.content = other.content;
  return is_same_target(same, other);
}

}  // namespace

std::vector<PieceFile> piece_files_in(const std::vector<std::string>& directories) {
  std::vector<PieceFile> files;
  for (const std::string& directory : directories) {
    for (const std::string& path : piece_paths(directory)) {
      files.push_back({read_piece_file(path).name, path});
    }
  }
  if (files.empty()) {
    throw BadInput(fmt::format("there is no piece of an exploration in {}", fmt::join(directories, ", ")));
  }
  std::ranges::stable_sort(files, TargetOrder());
  return files;
}

std::vector<ExploredTarget> put_together(const std::vector<PieceFile>& files, TargetShelf& shelf) {
  std::vector<ExploredTarget> targets;
  const PieceFile* last = nullptr;
  for (const PieceFile& file : files) {
    const bool is_new = last == nullptr || !is_same_work(last->name, file.name);
    if (is_new) {
      check_content(file, shelf);
      targets.push_back({file.name, {}});
    } else if (file.name.content != last->name.content) {
      check_content(file, shelf);
    } else if (file.name.first == last->name.first) {
      continue;  // the same piece from two directories, or less of it
    } else if (file.name.first < last->name.first + last->name.count) {
      throw BadInput(
          fmt::format("{} and {} overlap, so they are not parts of one exploration", last->path, file.path));
    }
    add(targets.back().result, read_piece_file(file.path).result);
    last = &file;
  }
  return targets;
}

}  // namespace holdfast
