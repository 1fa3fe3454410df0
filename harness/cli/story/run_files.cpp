#include "harness/cli/story/run_files.h"

#include <nlohmann/json.hpp>

#include "harness/explore/choice_log.h"
#include "harness/kernel/fingerprint.h"

namespace holdfast::cli {

std::string history_header(const ToldRun& run) {
  nlohmann::ordered_json header{{"format", "holdfast-history"},
                                {"version", 1},
                                {"scenario", run.scenario->name},
                                {"lock", run.lock->id},
                                {"seed", run.seed}};
  if (run.live || !run.servers.empty()) {
    header["world"] = run.live ? "live" : "warp";
  }
  if (run.placement) {
    header["place"] = to_text(*run.placement);
  }
  return header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string history_end(const ToldRun& run) {
  nlohmann::ordered_json end{{"type", "end"},
                             {"end", to_text(run.report.end)},
                             {"time", run.report.true_time.count()},
                             {"letter", to_text(run.report.letter)},
                             {"fingerprint", to_hex(run.report.fingerprint)}};
  if (run.live) {
    end["servers"] = run.live->servers;
    end["speed_up"] = run.live->speed_up;
  } else if (!run.servers.empty()) {
    end["servers"] = run.servers;
  }
  return end.dump();
}

std::string history_cut_short(Duration time, const std::string& problem) {
  return nlohmann::ordered_json{
      {"type", "end"}, {"end", "trouble"}, {"time", time.count()}, {"problem", problem}}
      .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void write_log(const std::string& path, const ToldRun& run, const std::string& scenario_json,
               const Choices& choices) {
  ChoiceLog log;
  log.scenario_json = scenario_json;
  log.scenario_name = run.scenario->name;
  log.lock = std::string(run.lock->id);
  log.seed = run.seed;
  log.placement = run.placement;
  log.fingerprint = run.report.fingerprint;
  log.choices = logged_choices(choices);
  write_choice_log(path, log);
}

}  // namespace holdfast::cli
