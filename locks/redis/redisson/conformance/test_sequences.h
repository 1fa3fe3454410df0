// For tests: sequences.txt, which the recorder of the real library reads as well.
#pragma once

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace holdfast::redisson {

struct TestStep {
  std::int64_t at_ms = 0;
  std::string who;   // "a:1", a thread; or "a", "server", "replica"
  std::string what;  // "rlock.try 700"

  bool is_of_a_thread() const { return who.find(':') != std::string::npos; }
  std::string process() const { return who.substr(0, who.find(':')); }
};

struct TestSequence {
  std::string name;
  std::size_t servers = 1;
  std::size_t replicas = 0;  // of each
  std::vector<TestStep> steps;
  std::int64_t until_ms = 0;
};

inline std::vector<TestSequence> read_sequences(const std::string& path) {
  std::vector<TestSequence> all;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first;
    if (!(words >> first) || first == "#") {
      continue;
    }
    if (first == "sequence") {
      TestSequence& sequence = all.emplace_back();
      words >> sequence.name;
      std::string of_what;
      for (std::size_t count = 0; words >> of_what >> count;) {
        (of_what == "servers" ? sequence.servers : sequence.replicas) = count;
      }
    } else if (first == "until") {
      words >> all.back().until_ms;
    } else {
      TestStep& step = all.back().steps.emplace_back();
      step.at_ms = std::stoll(first);
      words >> step.who;
      std::getline(words >> std::ws, step.what);
    }
  }
  return all;
}

}  // namespace holdfast::redisson
