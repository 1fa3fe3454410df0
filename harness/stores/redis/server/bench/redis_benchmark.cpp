#include "harness/stores/redis/server/bench/redis_benchmark.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "harness/kernel/require.h"
#include "harness/machine/process/child.h"
#include "harness/machine/process/live_error.h"
#include "harness/stores/redis/client.h"

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

// Notes what goes through it.
class NotingClient final : public redis::Client {
 public:
  NotingClient(std::unique_ptr<StoreClient> inner, std::vector<redis::Command>& commands)
      : owned_(std::move(inner)), inner_(static_cast<redis::Client&>(*owned_)), commands_(commands) {}

  Task<redis::Answer> execute(redis::Command command) override {
    commands_.push_back(command);
    return inner_.execute(std::move(command));
  }
  Task<redis::Answer> execute_within(redis::Command command, Duration timeout) override {
    commands_.push_back(command);
    return inner_.execute_within(std::move(command), timeout);
  }
  Task<redis::Answer> subscribe(std::string channel, redis::Mailbox& mailbox) override {
    return inner_.subscribe(std::move(channel), mailbox);
  }
  Task<redis::Answer> unsubscribe(std::string channel, redis::Mailbox& mailbox) override {
    return inner_.unsubscribe(std::move(channel), mailbox);
  }
  Task<std::int64_t> replicas() override { return inner_.replicas(); }
  void forget(const redis::Mailbox& mailbox) noexcept override { inner_.forget(mailbox); }

 private:
  std::unique_ptr<StoreClient> owned_;
  redis::Client& inner_;
  std::vector<redis::Command>& commands_;
};

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

std::unique_ptr<StoreClient> RedisBenchmark::listen(std::unique_ptr<StoreClient> client) {
  return std::make_unique<NotingClient>(std::move(client), heard_);
}

void RedisBenchmark::take_cycle(std::string_view key) {
  commands_ = benchmark_commands(std::exchange(heard_, {}), key);
}

std::string RedisBenchmark::why_not() const {
  if (!can_be_benchmarked(commands_)) {
    return "redis-benchmark cannot do its WAIT, which returns at once to who has written nothing";
  }
  return options_.has_password ? "redis-benchmark would show the servers' password to everybody here" : "";
}

std::vector<std::size_t> RedisBenchmark::times() const {
  std::vector<std::size_t> times;
  for (const CycleCommand& command : commands_) {
    times.push_back(command.times);
  }
  return times;
}

double RedisBenchmark::rate(std::size_t request, std::size_t connections, std::uint64_t requests) {
  require(why_not().empty(), "redis-benchmark is asked only for what it can do");
  const redis::Command& command = commands_.at(request).command;
  const std::filesystem::path printed = options_.directory / "redis-benchmark";
  std::filesystem::remove(printed);
  ChildOptions child_options;
  child_options.arguments = {"redis-benchmark",           "-s",   options_.socket,          "-c",
                             std::to_string(connections), "-n",   std::to_string(requests), "-r",
                             std::string(random_keys),    "--csv"};
  child_options.arguments.insert(child_options.arguments.end(), command.begin(), command.end());
  child_options.output = printed;
  Child child(child_options);
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
