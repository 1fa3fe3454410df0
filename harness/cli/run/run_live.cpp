#include "harness/cli/run/run_live.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>

#include "harness/cli/story/run_files.h"
#include "harness/history/jsonl.h"
#include "harness/machine/process/live_error.h"
#include "harness/run/service_findings.h"
#include "harness/text/bad_input.h"
#include "harness/text/text_width.h"

namespace holdfast::cli {
namespace {

live::LiveRequest request_for(const ToldRun& run, const LiveOptions& options) {
  live::LiveRequest request;
  request.scenario = run.scenario;
  request.lock = run.lock;
  request.seed = run.seed;
  request.placement = run.placement;
  request.details = true;
  request.explain = true;
  request.own_failover = options.own_failover;
  request.speed_up = options.speed_up;
  request.endpoints = endpoints_in(options.endpoints);
  request.programs = options.programs;
  request.password = server_password(store_called(run.lock->needs.store));
  return request;
}

Letter letter_in_sim(const ToldRun& run) {
  Simulation simulation;
  return simulation
      .run({.scenario = run.scenario, .lock = run.lock, .seed = run.seed, .placement = run.placement})
      .told_letter();
}

}  // namespace

std::vector<std::string> endpoints_in(const std::vector<std::string>& lists) {
  std::vector<std::string> endpoints;
  for (const std::string& list : lists) {
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      endpoints.push_back(list.substr(begin, end - begin));
      begin = end + 1;
      if (endpoints.back().empty()) {
        throw BadInput(
            fmt::format("--endpoints takes HOST:PORT with commas in between, and in \"{}\" one is empty",
                        shortened(printable(list), 60)));
      }
    }
  }
  return endpoints;
}

std::string server_password(const Store& store) {
  const std::string variable(store.password_variable());
  const char* const password = variable.empty() ? nullptr : std::getenv(variable.c_str());
  return password == nullptr ? "" : password;
}

std::vector<const Store*> stores_with_endpoints() {
  std::vector<const Store*> stores;
  std::ranges::copy_if(all_stores(), std::back_inserter(stores),
                       [](const Store* store) { return store->can_be_attached(); });
  return stores;
}

std::string own_failovers() {
  std::string names;
  for (const Store* const store : all_stores()) {
    if (!store->own_failover().empty()) {
      names += fmt::format("{}{} of {}", names.empty() ? "" : ", ", store->own_failover(), store->title());
    }
  }
  return names;
}

std::string where_passwords_are() {
  std::string variables;
  for (const Store* const store : stores_with_endpoints()) {
    variables += (variables.empty() ? "" : ", ") + std::string(store->password_variable());
  }
  return "the password is read from " + variables;
}

void run_live(ToldRun& run, live::LiveRun& live, const LiveOptions& options) {
  live::LiveRequest request = request_for(run, options);
  if (const std::string reason = live::why_not_live(request); !reason.empty()) {
    throw BadInput(reason.substr(0, reason.size() - 1));
  }
  run.live.emplace();
  run.live->sim = letter_in_sim(run);
  request.is_limit_proof = run.live->sim == Letter::stuck_for_ever;
  std::unique_ptr<JsonLinesWriter> history;
  if (!options.history.empty()) {
    history = std::make_unique<JsonLinesWriter>(options.history, history_header(run));
    request.sink = history.get();
  }
  try {
    run.report = live.run(request);
  } catch (const live::LiveError& trouble) {
    if (history) {
      const Duration end = live.has_history() ? live.history().events().back().true_time : Duration{};
      history->finish(history_cut_short(end, trouble.what()));
    }
    throw;
  }
  run.live->servers = live.servers();
  run.live->speed_up = live.speed_up();
  run.live->why_slower = live.why_slower();
  run.service = service_findings(live.history(), *run.lock, *run.scenario);
  if (history) {
    history->finish(history_end(run));
  }
}

}  // namespace holdfast::cli
