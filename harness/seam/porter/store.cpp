// A porter, as the rest of holdfast sees it: a store that only the tests of this room have.
//
// The smallest that has everything a model can have; copy it to begin a store of your own. It has no real
// server, so what is for warp, live and benchmarks is left out: Redis shows that.
#include "harness/stores/store.h"

#include "harness/seam/porter/client.h"
#include "harness/seam/porter/eviction.h"
#include "harness/seam/porter/servers.h"

namespace holdfast {
namespace porter {
namespace {

class PorterStore final : public Store {
 public:
  std::string_view id() const override { return Client::store_id; }
  std::string_view title() const override { return "Porter"; }
  std::span<const Option> options() const override { return topology_options; }
  const Option* replicas() const override { return &standbys_option; }
  std::span<const FaultEntry* const> faults() const override {
    static const std::array all{&eviction()};
    return all;
  }

  bool is_call_name(std::string_view name) const override { return name == "lock" || name == "unlock"; }
  std::string_view call_name_text() const override { return "a porter's \"lock\" or \"unlock\""; }
  std::string_view call_name_pattern() const override { return "lock|unlock"; }

  std::unique_ptr<Servers> make_servers(const ServersContext& context, RealServers*) const override {
    return std::make_unique<PorterServers>(context);
  }
};

}  // namespace
}  // namespace porter

const Store& porter_store() {
  static const porter::PorterStore store;
  return store;
}

}  // namespace holdfast
