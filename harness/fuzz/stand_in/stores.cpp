// The stores as far as files name them, for the fuzzers alone: with their rows, but without models, servers
// and clients, which nobody needs to read a scenario and which would take minutes to build.
#include "harness/stores/redis/topology.h"
#include "harness/stores/store.h"

namespace holdfast {
namespace {

class StandIn final : public Store {
 public:
  StandIn(std::string_view id, std::span<const Option> options) : id_(id), options_(options) {}
  std::string_view id() const override { return id_; }
  std::string_view title() const override { return id_; }
  bool has_servers() const override { return !options_.empty(); }
  std::span<const Option> options() const override { return options_; }
  const Option* replicas() const override { return options_.empty() ? nullptr : &redis::replicas_option; }
  bool is_call_name(std::string_view name) const override {
    return !name.empty() && name[0] >= 'A' && name[0] <= 'Z';
  }
  std::string_view call_name_text() const override { return "a command in capitals"; }
  std::unique_ptr<Servers> make_servers(const ServersContext&, RealServers*) const override {
    return nullptr;
  }

 private:
  std::string_view id_;
  std::span<const Option> options_;
};

}  // namespace

const Store& redis_store() {
  static const StandIn store("redis", redis::topology_options);
  return store;
}

const Store& local_store() {
  static const StandIn store("local", {});
  return store;
}

}  // namespace holdfast
