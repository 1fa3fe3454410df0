#include "harness/live/bench/redis_benchmark.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "harness/machine/process/child.h"
#include "harness/machine/process/live_error.h"

namespace holdfast::live {
namespace {

constexpr std::string_view random_key = "holdfast-bench-__rand_int__";
constexpr std::string_view random_keys = "1000000";
// "rate","average","min","p50","p95","p99","max", behind the name of the test.
constexpr int fields_behind_the_name = 7;

std::string with_random_key(std::string word, std::string_view key) {
  for (std::size_t at = word.find(key); at != std::string::npos;
       at = word.find(key, at + random_key.size())) {
    word.replace(at, key.size(), random_key);
  }
  return word;
}

// Of a turn that takes less than a second.
constexpr auto patience_with_a_turn = std::chrono::seconds(30);

void wait_for(Child& child) {
  const auto end = std::chrono::steady_clock::now() + patience_with_a_turn;
  while (child.is_running()) {
    if (std::chrono::steady_clock::now() > end) {
      throw LiveError("redis-benchmark does not come to an end: the server does not answer it any more.");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace

std::vector<CycleCommand> benchmark_commands(const std::vector<redis::Command>& cycle, std::string_view key) {
  std::vector<CycleCommand> commands;
  for (redis::Command command : cycle) {
    for (std::string& word : command) {
      word = with_random_key(std::move(word), key);
    }
    const auto same = std::find_if(commands.begin(), commands.end(),
                                   [&](const CycleCommand& each) { return each.command == command; });
    if (same != commands.end()) {
      ++same->times;
    } else {
      commands.push_back({std::move(command), 1});
    }
  }
  return commands;
}

bool can_be_benchmarked(const std::vector<CycleCommand>& commands) {
  return std::none_of(commands.begin(), commands.end(),
                      [](const CycleCommand& each) { return each.command.front() == "WAIT"; });
}

double rate_in(std::string_view csv) {
  std::size_t end = csv.size();
  for (int field = 0; field < fields_behind_the_name; ++field) {
    end = csv.substr(0, end).rfind("\",\"");
    if (end == std::string_view::npos) {
      return 0;
    }
  }
  return std::strtod(std::string(csv.substr(end + 3, 32)).c_str(), nullptr);
}

double redis_benchmark_rate(const BenchmarkRequest& request, const redis::Command& command) {
  const std::filesystem::path printed = request.directory / "redis-benchmark";
  std::filesystem::remove(printed);
  ChildOptions options;
  options.arguments = {"redis-benchmark",
                       "-h",
                       request.server.host,
                       "-p",
                       std::to_string(request.server.port),
                       "-c",
                       std::to_string(request.connections),
                       "-n",
                       std::to_string(request.requests),
                       "-r",
                       std::string(random_keys),
                       "--csv"};
  options.arguments.insert(options.arguments.end(), command.begin(), command.end());
  options.output = printed;
  Child child(options);
  wait_for(child);
  std::ifstream file(printed, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const double rate = rate_in(text);
  if (rate <= 0) {
    throw LiveError("redis-benchmark ended with " + child.ending() +
                    " and without a rate: " + last_lines(printed));
  }
  return rate;
}

}  // namespace holdfast::live
