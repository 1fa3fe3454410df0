#include "harness/stores/local/host.h"

namespace holdfast::local {

void Host::process_died(ProcessId process) {
  std::erase_if(flocks_, [&](const auto& entry) { return entry.second.process == process; });
  require(process != world_process, "only what was started can die");
}

Task<bool> HostClient::try_flock(std::string path) {
  co_await env_.point("flock");
  const Host::Owner me{env_.process(), env_.thread()};
  const auto [at, inserted] = host_.flocks_.try_emplace(path, me);
  co_return inserted || at->second == me;
}

Task<bool> HostClient::unflock(std::string path) {
  co_await env_.point("unflock");
  const auto at = host_.flocks_.find(path);
  if (at == host_.flocks_.end() || at->second != Host::Owner{env_.process(), env_.thread()}) {
    co_return false;
  }
  host_.flocks_.erase(at);
  co_return true;
}

Task<bool> HostClient::create_exclusive(std::string path, std::string content) {
  co_await env_.point("create");
  co_return host_.files_.try_emplace(std::move(path), std::move(content)).second;
}

Task<bool> HostClient::unlink(std::string path) {
  co_await env_.point("unlink");
  co_return host_.files_.erase(path) > 0;
}

}  // namespace holdfast::local
