#include "harness/cli/bench/bench_check.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "harness/check/linear/check_history.h"
#include "harness/check/linear/stream_check.h"
#include "harness/cli/bench/bench_memory.h"
#include "harness/files/nameless_file.h"
#include "harness/text/bad_input.h"

namespace holdfast::cli {
namespace {

using linear::FastCheck;
using linear::LongHistory;

constexpr std::size_t block_bytes = std::size_t{1} << 16U;
constexpr std::size_t events_a_block = 4096;  // many, so that reading the clock costs nothing

// Processor time, so that two cases can be compared on a machine that does other things too. Nothing here
// waits for anything but the processor.
class ProcessorStopwatch {
 public:
  double seconds() const { return now() - start_; }

 private:
  static double now() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }

  double start_ = now();
};

linear::AnyModel model_of(const CheckCase& check_case) {
  return std::get<linear::AnyModel>(linear::parse_model(check_case.model));
}

std::uint64_t rounds_of(const CheckCase& check_case) {
  return check_case.operations <= 10'000 ? 9 : check_case.operations <= 100'000 ? 4 : 2;
}

// A history as JSON Lines, made while it is read.
class MadeBytes final : public ByteSource {
 public:
  // Adds the time it takes to make them to `seconds`.
  MadeBytes(const linear::LongHistoryOptions& options, double& seconds)
      : history_(options), seconds_(seconds) {}

  std::size_t read(std::span<char> room) override {
    const ProcessorStopwatch stopwatch;
    if (given_ == text_.size()) {
      make_block();
    }
    const std::size_t count = text_.copy(room.data(), room.size(), given_);
    given_ += count;
    seconds_ += stopwatch.seconds();
    return count;
  }

 private:
  void make_block() {
    text_.clear();
    given_ = 0;
    CallEvent event;
    while (text_.size() < block_bytes && history_.next(event)) {
      linear::append_jsonl(text_, event);
    }
  }

  LongHistory history_;
  double& seconds_;
  std::string text_;
  std::size_t given_ = 0;
};

void write_history(const CheckCase& check_case, NamelessFile& file) {
  double ignored = 0;
  MadeBytes bytes(check_case.history(), ignored);
  std::array<char, block_bytes> block;
  for (std::size_t count = bytes.read(block); count > 0; count = bytes.read(block)) {
    file.write(std::string_view(block.data(), count));
  }
}

// `check` gives a report, or says what is wrong.
template <class Check>
CheckTime read_and_check_once(const CheckCase& check_case, const Check& check) {
  linear::CheckOptions options;
  options.model = model_of(check_case);
  CheckTime time;
  forget_peak_memory();
  const ProcessorStopwatch stopwatch;
  const std::variant<linear::CheckReport, std::string> result = check(options);
  time.seconds = stopwatch.seconds();
  time.peak_memory_mb = peak_memory_mb();
  if (const auto* const problem = std::get_if<std::string>(&result)) {
    throw BadInput(*problem);
  }
  const linear::KeyReport& key = std::get<linear::CheckReport>(result).keys.front();
  time.answer = key.method == linear::Method::search ? linear::Answer::unknown : key.service;
  return time;
}

template <class Check>
CheckTime check_once(const CheckCase& check_case, Check& check) {
  LongHistory history(check_case.history());
  std::vector<CallEvent> events(events_a_block);
  CheckTime time;
  forget_peak_memory();
  Position position = 0;
  std::size_t count = events.size();
  while (count == events.size()) {
    count = 0;
    while (count < events.size() && history.next(events[count])) {
      ++count;
    }
    const ProcessorStopwatch stopwatch;
    for (std::size_t index = 0; index < count; ++index) {
      check.observe(events[index], position++);
    }
    time.seconds += stopwatch.seconds();
  }
  time.peak_memory_mb = peak_memory_mb();
  return time;
}

template <class Once>
CheckTime best_of(std::uint64_t rounds, const Once& once) {
  CheckTime best = once();
  for (std::uint64_t round = 1; round < rounds; ++round) {
    const CheckTime time = once();
    best.seconds = std::min(best.seconds, time.seconds);
    best.peak_memory_mb = std::max(best.peak_memory_mb, time.peak_memory_mb);
  }
  return best;
}

}  // namespace

linear::LongHistoryOptions CheckCase::history() const {
  linear::LongHistoryOptions options;
  options.clients = clients;
  options.operations = operations;
  options.tokens = model.starts_with("fenced");
  if (kind == HistoryKind::violated) {
    options.violation_at = 990;
  }
  options.unknown = kind == HistoryKind::unknown || kind == HistoryKind::polling ? 10 : 0;
  options.polling = kind == HistoryKind::polling;
  return options;
}

CheckTime measure_read_and_check(const CheckCase& check_case) {
  if (check_case.operations > longest_file_operations) {
    double making = 0;
    auto bytes = std::make_unique<MadeBytes>(check_case.history(), making);
    Source source = Source::from_bytes(std::move(bytes), "a history made on the way");
    making = 0;  // what was read ahead was not timed
    CheckTime time = read_and_check_once(check_case, [&](const linear::CheckOptions& options) {
      return linear::check_source(source, options);
    });
    time.seconds -= making;
    return time;
  }
  NamelessFile file;  // hundreds of megabytes, which must not stay
  write_history(check_case, file);
  return best_of(rounds_of(check_case), [&] {
    return read_and_check_once(check_case, [&](const linear::CheckOptions& options) {
      return linear::check_file(file.path(), options);
    });
  });
}

CheckTime measure_check_alone(const CheckCase& check_case) {
  return best_of(rounds_of(check_case), [&] {
    if (check_case.kind == HistoryKind::polling) {
      return check_once(check_case, *linear::make_stream_check(model_of(check_case)));
    }
    const std::unique_ptr<FastCheck> check = linear::make_fast_check(model_of(check_case));
    CheckTime time = check_once(check_case, *check);
    check->finish();
    return time;
  });
}

}  // namespace holdfast::cli
