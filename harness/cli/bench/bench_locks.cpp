#include "harness/cli/bench/bench_locks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <variant>

#include "harness/cli/terminal/glob.h"
#include "harness/scenario/file/load_duration.h"
#include "harness/stores/store.h"
#include "harness/text/bad_input.h"
#include "harness/text/text_width.h"

namespace holdfast::cli {
namespace {

// With two connections each to five servers, this stays below the usual limit of 1024 open files.
constexpr std::size_t most_clients = 100;
constexpr Duration shortest_cell = 10ms;
constexpr Duration longest_cell = 60s;

// "Redis lock"
std::string kind_of_lock() {
  std::string titles;
  for (const Store* const store : all_stores()) {
    if (!store->program_names().empty()) {
      titles += (titles.empty() ? "" : " or ") + std::string(store->title());
    }
  }
  return titles + " lock";
}

std::vector<const LockEntry*> measurable_locks_that_fit(const std::vector<std::string>& patterns) {
  std::vector<std::string> known;
  std::vector<const LockEntry*> chosen;
  for (const LockEntry& lock : all_locks()) {
    if (store_called(lock.needs.store).program_names().empty()) {
      continue;
    }
    known.emplace_back(lock.id);
    if (fits_any(lock.id, patterns)) {
      chosen.push_back(&lock);
    }
  }
  check_patterns(kind_of_lock(), patterns, known, "holdfast list locks");
  return chosen;
}

}  // namespace

std::vector<std::size_t> client_counts_from(const std::string& list) {
  std::vector<std::size_t> counts;
  std::istringstream words(list + ",");  // so that what is behind the last comma is a word, too
  for (std::string word; std::getline(words, word, ',');) {
    std::size_t count = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
    if (error != std::errc() || end != word.data() + word.size() || count < 1 || count > most_clients) {
      throw BadInput(fmt::format(
          "--clients takes numbers from 1 to {} with commas in between, such as 1,2,4, not \"{}\"",
          most_clients, shortened(printable(list), 60)));
    }
    counts.push_back(count);
  }
  return counts;
}

Duration bench_duration_from(const std::string& text) {
  const auto read = duration_from(text);
  const auto* const duration = std::get_if<ScenarioDuration>(&read);
  const bool is_fixed = duration != nullptr && duration->resolve(0s) == duration->resolve(1s);
  if (!is_fixed || duration->resolve(0s) < shortest_cell || duration->resolve(0s) > longest_cell) {
    throw BadInput(fmt::format("--for takes a time from 10ms to 60s, such as 300ms, not \"{}\"",
                               shortened(printable(text), 60)));
  }
  return duration->resolve(0s);
}

std::string measure_locks(const BenchLocksOptions& options, const Terminal& terminal) {
  const std::vector<const LockEntry*> locks = measurable_locks_that_fit(options.locks);
  live::LockBenchOptions bench_options;
  bench_options.clients = client_counts_from(options.clients);
  bench_options.lasts = bench_duration_from(options.lasts);
  bench_options.programs = options.programs;
  std::vector<live::LockBench> benches;
  {
    ProgressBar progress("cells", locks.size() * bench_options.clients.size() * 2);
    std::size_t done = 0;
    for (const LockEntry* const lock : locks) {
      benches.push_back(live::measure_lock(*lock, bench_options, [&] { progress.advance_to(++done); }));
    }
  }
  return options.json ? bench_locks_json(benches, bench_options)
                      : bench_locks_text(benches, bench_options, terminal);
}

}  // namespace holdfast::cli
