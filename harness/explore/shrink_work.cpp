#include "harness/explore/shrink_work.h"

#include <algorithm>

namespace holdfast {

void fewer_rounds(const ShrunkFinding& best, const Attempt& attempt, const Attempt& elsewhere) {
  const auto all_once = [](ShrunkFinding& candidate) {
    candidate.scenario.workload.rounds = 1;
    for (ClientSpec& client : candidate.scenario.clients) {
      client.rounds.reset();
      client.threads = 1;
    }
  };
  const auto more_than_once = [](const ClientSpec& client) { return client.rounds || client.threads > 1; };
  const bool was_more =
      best.scenario.workload.rounds > 1 || std::ranges::any_of(best.scenario.clients, more_than_once);
  if (!was_more || elsewhere(all_once)) {
    return;
  }
  // It takes some of them: the fewest that do.
  for (std::uint32_t rounds = 1; rounds < best.scenario.workload.rounds; ++rounds) {
    if (elsewhere([&](ShrunkFinding& candidate) { candidate.scenario.workload.rounds = rounds; })) {
      break;
    }
  }
  for (std::size_t index = 0; index < best.scenario.clients.size(); ++index) {
    if (best.scenario.clients[index].rounds) {
      attempt([&](ShrunkFinding& candidate) { candidate.scenario.clients[index].rounds.reset(); });
    }
    for (std::uint32_t threads = 1; threads < best.scenario.clients[index].threads; ++threads) {
      if (elsewhere([&](ShrunkFinding& candidate) { candidate.scenario.clients[index].threads = threads; })) {
        break;
      }
    }
  }
}

void plainer_work(const ShrunkFinding& best, const Attempt& attempt, const Attempt& elsewhere) {
  const WorkloadSpec usual;
  const auto as_usual = [&](auto WorkloadSpec::* member) {
    if (best.scenario.workload.*member != usual.*member) {
      attempt([&](ShrunkFinding& candidate) { candidate.scenario.workload.*member = usual.*member; });
    }
  };
  if (best.scenario.workload.kind == "reentrant") {  // without it there are fewer steps
    elsewhere([&](ShrunkFinding& candidate) { candidate.scenario.workload.kind = usual.kind; });
  }
  as_usual(&WorkloadSpec::own_objects);
  as_usual(&WorkloadSpec::patience);
  as_usual(&WorkloadSpec::work);
  as_usual(&WorkloadSpec::pause);
  for (std::size_t index = 0; index < best.scenario.clients.size(); ++index) {
    if (best.scenario.clients[index].work) {
      attempt([&](ShrunkFinding& candidate) { candidate.scenario.clients[index].work.reset(); });
    }
    if (best.scenario.clients[index].start != ScenarioDuration{}) {
      attempt([&](ShrunkFinding& candidate) { candidate.scenario.clients[index].start = {}; });
    }
  }
}

}  // namespace holdfast
