#include "harness/explore/exploration/left_out.h"

#include <fmt/format.h>

#include "faults/injector.h"

namespace holdfast {

std::vector<std::string> left_out(const PieceName& name) {
  const ExplorerEntry& explorer = *find_explorer(name.strategy);
  if (!explorer.ends_by_itself) {
    return {};
  }
  std::vector<std::string> words;
  if (explorer.tries_orders) {
    words.emplace_back("other times of messages than the one that all take");
  } else {
    words.push_back(fmt::format("other times and orders of messages than those of seed {}", name.seed));
  }
  if (!name.shape.empty()) {
    words.push_back(fmt::format("other work than in the shape {}", name.shape));
  } else if (explorer.tries_orders) {
    words.emplace_back("other shapes of work than the plain one");
  } else {
    words.emplace_back("work that is in none of its shapes");
  }
  words.emplace_back("other turns of the threads of a process");
  words.emplace_back("other numbers than those that a lock drew at random");
  if (name.most_faults > 0) {
    words.emplace_back("faults that are not on the menu, or last longer or shorter");
    words.emplace_back("faults between two steps");
    words.push_back(fmt::format("faults after the {}th step of a process", most_steps_of_a_process));
  }
  return words;
}

}  // namespace holdfast
