// The report of `holdfast bench check`: a table, then the ratios that should stay near or below 1.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "harness/cli/bench/bench_check.h"
#include "harness/cli/terminal/terminal.h"
#include "harness/machine/stopwatch.h"

namespace holdfast::cli {
namespace {

constexpr std::uint64_t operations_min = 10'000;
constexpr std::string_view bench_models[] = {"owner-mutex", "fenced-mutex"};
constexpr std::uint32_t bench_clients[] = {5, 50};
constexpr std::string_view polling_models[] = {"owner-mutex", "fenced-mutex", "reentrant-mutex",
                                               "rw-lock",     "mutex",        "semaphore:1"};
constexpr HistoryKind bench_kinds[] = {HistoryKind::valid, HistoryKind::violated, HistoryKind::unknown};

struct Measured {
  CheckCase check_case;
  CheckTime read_and_check;
  CheckTime check_alone;

  double per_operation(CheckTime Measured::* part) const {
    return (this->*part).seconds / static_cast<double>(check_case.operations);
  }
};

std::string_view kind_text(HistoryKind kind) {
  constexpr std::string_view texts[] = {"valid", "violated at 99 %", "1 % unknown", "refused, 1 % unk."};
  return texts[static_cast<std::size_t>(kind)];
}

std::vector<std::uint64_t> lengths_up_to(std::uint64_t operations_max) {
  std::vector<std::uint64_t> lengths;
  for (std::uint64_t length = operations_min; length < operations_max; length *= 10) {
    lengths.push_back(length);
  }
  lengths.push_back(operations_max);
  return lengths;
}

std::vector<CheckCase> cases_up_to(std::uint64_t operations_max) {
  std::vector<CheckCase> cases;
  for (const std::string_view model : bench_models) {
    for (const std::uint32_t clients : bench_clients) {
      for (const HistoryKind kind : bench_kinds) {
        for (const std::uint64_t operations : lengths_up_to(operations_max)) {
          cases.push_back({model, clients, kind, operations});
        }
      }
    }
  }
  for (const std::string_view model : polling_models) {
    for (const std::uint64_t operations : lengths_up_to(std::min(operations_max, longest_file_operations))) {
      cases.push_back({model, bench_clients[0], HistoryKind::polling, operations});
    }
  }
  return cases;
}

std::string table_row(const Measured& measured) {
  const CheckCase& made = measured.check_case;
  const auto millions_per_second = [&](CheckTime Measured::* part) {
    return 1e-6 / measured.per_operation(part);
  };
  return fmt::format(
      "{:<15}  {:>7}  {:<17}  {:>10}  {:>7.2f} M/s  {:>6.1f} MB  {:>7.2f} M/s  {:>6.1f} MB  {}\n", made.model,
      made.clients, kind_text(made.kind), made.operations, millions_per_second(&Measured::read_and_check),
      measured.read_and_check.peak_memory_mb, millions_per_second(&Measured::check_alone),
      measured.check_alone.peak_memory_mb, to_text(measured.read_and_check.answer));
}

const Measured& find_case(const std::vector<Measured>& all, const CheckCase& wanted) {
  for (const Measured& measured : all) {
    const CheckCase& made = measured.check_case;
    if (made.model == wanted.model && made.clients == wanted.clients && made.kind == wanted.kind &&
        made.operations == wanted.operations) {
      return measured;
    }
  }
  throw std::logic_error("bench check: a case was not measured");
}

// Time per operation of the one against the other, read and checked, and checked alone.
std::string ratio_columns(const Measured& one, const Measured& other) {
  const auto ratio = [&](CheckTime Measured::* part) {
    return one.per_operation(part) / other.per_operation(part);
  };
  return fmt::format("  {:>8.2f} {:>8.2f}", ratio(&Measured::read_and_check), ratio(&Measured::check_alone));
}

std::string ratios_text(const std::vector<Measured>& all, std::uint64_t longest, std::uint64_t shorter) {
  std::string text = fmt::format(
      "\nTime per operation, relative (read and checked, checked alone)\n"
      "{:<12}  {:>7}  {:>17}  {:>17}  {:>17}\n",
      "model", "clients", "ten times longer", "violated / valid", "unknown / valid");
  for (const std::string_view model : bench_models) {
    for (const std::uint32_t clients : bench_clients) {
      const Measured& valid = find_case(all, {model, clients, HistoryKind::valid, longest});
      const auto other = [&](HistoryKind kind, std::uint64_t operations) -> const Measured& {
        return find_case(all, {model, clients, kind, operations});
      };
      text += fmt::format("{:<12}  {:>7}{}{}{}\n", model, clients,
                          ratio_columns(valid, other(HistoryKind::valid, shorter)),
                          ratio_columns(other(HistoryKind::violated, longest), valid),
                          ratio_columns(other(HistoryKind::unknown, longest), valid));
    }
  }
  return text;
}

std::string general_text() {
  const Stopwatch stopwatch;
  const linear::CheckMeasureOptions options;
  const linear::CheckMeasure measure =
      linear::measure_general(options, [&stopwatch] { return stopwatch.seconds(); });
  return fmt::format(
      "\nThe general checker, {} histories of {} operations of a compare-and-set register:\n"
      "median {:.3f} ms, at most {:.3f} ms (seed {}); {} linearizable, {} violated, {} unknown\n",
      options.histories, options.calls, measure.median_seconds * 1e3, measure.max_seconds * 1e3,
      measure.slowest_seed, measure.linearizable, measure.violated, measure.unknown);
}

}  // namespace

std::string measure_checks(std::uint64_t operations_max) {
  std::string text = fmt::format("{:<15}  {:>7}  {:<17}  {:>10}  {:>22}  {:>22}  {}\n", "model", "clients",
                                 "history", "operations", "read and check", "check alone", "answer");
  const std::vector<CheckCase> cases = cases_up_to(operations_max);
  std::vector<Measured> all;
  ProgressBar progress("cases", cases.size());
  for (const CheckCase& each : cases) {
    all.push_back({each, measure_read_and_check(each), measure_check_alone(each)});
    text += table_row(all.back());
    progress.advance_to(all.size());
  }
  const std::vector<std::uint64_t> lengths = lengths_up_to(operations_max);
  if (lengths.size() > 1) {
    text += ratios_text(all, lengths.back(), lengths[lengths.size() - 2]);
  }
  text += general_text();
  text +=
      "M/s: million operations a second of processor time; MB: the most memory the process had meanwhile\n";
  return text;
}

}  // namespace holdfast::cli
