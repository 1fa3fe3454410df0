// How many events a second the kernel does, and how that compares with a loop that does nothing but pop a
// heap and resume a coroutine.
//
// Both run the same clients: each calls a server again and again, a call being two hops of random length, and
// pauses between two calls. Frames come from the same pool and random lengths from the same generator, so
// what differs is the scheduling. The two take turns, and medians are compared, so that a machine that is
// busy for a while spoils neither alone.
#include <algorithm>
#include <coroutine>
#include <utility>
#include <vector>

#include "harness/cli/bench/bench.h"
#include "harness/kernel/random_strategy.h"
#include "harness/kernel/wait.h"
#include "harness/live/bench/statistics.h"
#include "harness/machine/stopwatch.h"

namespace holdfast::cli {
namespace {

constexpr std::size_t client_count = 5;

class Lengths {
 public:
  std::int64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    return static_cast<std::int64_t>(100 + (mix(state_) & 255U));
  }

 private:
  std::uint64_t state_ = 1;
};

// The baseline: a binary heap of (time, sequence, coroutine), as lean as it can be.
class BareLoop {
 public:
  struct Pause {
    BareLoop& loop;
    std::int64_t length;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> handle) const { loop.schedule(loop.now_ + length, handle); }
    void await_resume() const noexcept {}
  };
  Pause pause(std::int64_t length) { return {*this, length}; }

  void schedule(std::int64_t due, std::coroutine_handle<> handle) {
    heap_.push_back({due, next_sequence_++, handle});
    std::push_heap(heap_.begin(), heap_.end());
  }
  void run(std::uint64_t events) {
    for (std::uint64_t done = 0; done < events && !heap_.empty(); ++done) {
      std::pop_heap(heap_.begin(), heap_.end());
      const Entry entry = heap_.back();
      heap_.pop_back();
      now_ = entry.due;
      entry.handle.resume();
    }
  }

 private:
  struct Entry {
    std::int64_t due;
    std::uint32_t sequence;
    std::coroutine_handle<> handle;
    // The standard heap has its greatest entry on top; ours is to have the earliest.
    bool operator<(const Entry& other) const {
      return due != other.due ? due > other.due : sequence > other.sequence;
    }
  };
  std::vector<Entry> heap_;
  std::int64_t now_ = 0;
  std::uint32_t next_sequence_ = 0;
};

Task<std::uint64_t> bare_call(BareLoop& loop, Lengths& lengths, std::uint64_t& server) {
  co_await loop.pause(lengths.next());
  const std::uint64_t answer = server++;
  co_await loop.pause(lengths.next());
  co_return answer;
}

Task<> bare_client(BareLoop& loop, Lengths& lengths, std::uint64_t& server) {
  while (true) {
    co_await bare_call(loop, lengths, server);
    co_await loop.pause(50);
  }
}

double bare_events_per_second(std::uint64_t events) {
  BareLoop loop;
  Lengths lengths;
  std::vector<std::uint64_t> servers(client_count, 0);
  std::vector<Task<>> clients;
  for (std::uint64_t& server : servers) {
    clients.push_back(bare_client(loop, lengths, server));
    loop.schedule(0, clients.back().handle());
  }
  const Stopwatch stopwatch;
  loop.run(events);
  return static_cast<double>(events) / stopwatch.seconds();
}

struct KernelClient {
  Kernel& kernel;
  ProcessId process;
  Lengths& lengths;
  std::uint64_t server = 0;

  Sleep pause(std::int64_t length) const {
    return {kernel, process, ClockKind::monotonic,
            kernel.read_clock(process, ClockKind::monotonic) + Duration(length)};
  }
};

Task<std::uint64_t> kernel_call(KernelClient& client) {
  co_await client.pause(client.lengths.next());
  const std::uint64_t answer = client.server++;
  co_await client.pause(client.lengths.next());
  co_return answer;
}

Task<> kernel_client(KernelClient& client) {
  while (true) {
    co_await kernel_call(client);
    co_await client.pause(50);
  }
}

double kernel_events_per_second(std::uint64_t events) {
  RandomStrategy strategy;
  Kernel kernel;
  kernel.reset(strategy);
  Lengths lengths;
  std::vector<KernelClient> clients;
  clients.reserve(client_count);
  for (std::size_t index = 0; index < client_count; ++index) {
    clients.push_back({kernel, kernel.add_process("client"), lengths});
  }
  for (KernelClient& client : clients) {
    kernel.spawn(client.process, kernel_client(client));
  }
  RunLimits limits;
  limits.true_time = never;
  limits.events = events;
  const Stopwatch stopwatch;
  kernel.run(limits);
  const double seconds = stopwatch.seconds();
  kernel.stop();
  return static_cast<double>(kernel.event_count()) / seconds;
}

}  // namespace

KernelSpeed measure_kernel(std::uint64_t events, std::uint64_t rounds) {
  std::vector<double> bare;
  std::vector<double> kernel;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    bare.push_back(bare_events_per_second(events));
    kernel.push_back(kernel_events_per_second(events));
  }
  return {live::middle_of(kernel), live::middle_of(bare)};
}

}  // namespace holdfast::cli
