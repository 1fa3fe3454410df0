#include "harness/check/linear/measure.h"

#include <algorithm>
#include <vector>

#include "harness/check/linear/generate.h"
#include "harness/check/linear/pairs.h"

namespace holdfast::linear {
namespace {

std::vector<Call> register_calls(const CheckMeasureOptions& options, std::uint64_t seed) {
  GenerateOptions generate;
  generate.clients_min = options.clients_min;
  generate.clients_max = options.clients_max;
  generate.calls_min = options.calls;
  generate.calls_max = options.calls;
  generate.values = options.values;
  generate.info = options.info;
  generate.fail = 0;
  generate.ended = 0;
  generate.corrupted = options.corrupted;
  const auto events = generate_history(CasRegister{}, generate, seed);
  auto paired = pair_calls(events, ended_lets_go(CasRegister{}));
  auto* const keys = std::get_if<std::vector<KeyCalls>>(&paired);
  return keys != nullptr && !keys->empty() ? std::move(keys->front().calls) : std::vector<Call>();
}

}  // namespace

CheckMeasure measure_general(const CheckMeasureOptions& options, const std::function<double()>& seconds) {
  CheckMeasure measure;
  std::vector<double> times;
  std::size_t calls_sum = 0;
  std::size_t infos = 0;
  for (std::uint64_t seed = options.first_seed; seed < options.first_seed + options.histories; ++seed) {
    const std::vector<Call> calls = register_calls(options, seed);
    const double start = seconds();
    const GeneralResult result = check_general(CasRegister{}, calls, options.limits);
    times.push_back(seconds() - start);
    if (times.back() > measure.max_seconds) {
      measure.max_seconds = times.back();
      measure.slowest_seed = seed;
    }
    measure.linearizable += result.answer == Answer::linearizable ? 1 : 0;
    measure.violated += result.answer == Answer::violated ? 1 : 0;
    measure.unknown += result.answer == Answer::unknown ? 1 : 0;
    measure.memory_bytes_max = std::max(measure.memory_bytes_max, result.memory_bytes);
    calls_sum += calls.size();
    infos += static_cast<std::size_t>(std::ranges::count(calls, Outcome::info, &Call::outcome));
  }
  if (!times.empty()) {
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    measure.median_seconds = *middle;
    measure.info_share =
        static_cast<double>(infos) / static_cast<double>(std::max<std::size_t>(calls_sum, 1));
  }
  return measure;
}

}  // namespace holdfast::linear
