// What a host has without any server: the memory of its processes, and files.
#include "harness/stores/store.h"

#include "harness/stores/local/host.h"
#include "harness/stores/local/mutate.h"

namespace holdfast {
namespace local {
namespace {

// One host, on which all clients run.
class LocalServers final : public Servers {
 public:
  void add_processes(const ServersPlan&) override { host_.reset(); }
  void start() override {}
  std::size_t count() const override { return 0; }
  std::vector<ProcessId> members(std::size_t) const override { return {}; }
  ProcessId serving(std::size_t) const override { return world_process; }
  std::unique_ptr<StoreClient> connect(Env& env, std::size_t, Duration) override {
    return std::make_unique<HostClient>(env, host_);
  }
  void client_died(ProcessId process) override { host_.process_died(process); }

 private:
  Host host_;
};

class LocalStore final : public Store {
 public:
  std::string_view id() const override { return Client::store_id; }
  std::string_view title() const override { return "local"; }
  bool has_servers() const override { return false; }
  bool is_call_name(std::string_view) const override { return false; }
  std::string_view call_name_text() const override { return "no call"; }
  std::unique_ptr<CallWatch> watch_calls() const override { return watch_files(); }
  std::unique_ptr<Servers> make_servers(const ServersContext&, RealServers*) const override {
    return std::make_unique<LocalServers>();
  }
  std::unique_ptr<Servers> reach_servers(const ServersContext&, live::Poller&, const Reach&) const override {
    return std::make_unique<LocalServers>();
  }
};

}  // namespace
}  // namespace local

const Store& local_store() {
  static const local::LocalStore store;
  return store;
}

}  // namespace holdfast
