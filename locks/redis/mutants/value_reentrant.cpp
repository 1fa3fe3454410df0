// mutant-value-fresh-id, of redis-value-reentrant.
//
// Each attempt makes a value of its own, where one a thread is meant. Seen where a UUID is made in the method
// that a retry calls again. Shows when the answer to an attempt that was granted is lost: the next attempt
// does not know its own value in the key and waits for itself, a whole lease long. The correct lock re-enters
// at once, so in this scope it is never stuck at all.
#include <map>

#include "locks/redis/mutants/designs.h"
#include "locks/redis/value_reentrant.h"

namespace holdfast::mutants {
namespace {

class FreshId final : public ValueReentrant {
 public:
  using ValueReentrant::ValueReentrant;

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest request) override {
    values_[me.env.thread()] = me.env.unique_id();
    return ValueReentrant::try_once(me, request);
  }
  std::string value(const Caller& me) const override {
    const auto found = values_.find(me.env.thread());
    return found == values_.end() ? std::string() : found->second;
  }

 private:
  std::map<std::uint32_t, std::string> values_;  // by thread
};

std::unique_ptr<Lock> make_fresh_id(LockSettings settings) {
  return std::make_unique<FreshId>(std::move(settings));
}

}  // namespace

std::vector<MutantEntry> value_reentrant() {
  MutantScope scope;
  scope.menu = {lost_reply(), pause_for(100)};
  scope.rounds = 2;
  scope.entitled = Letter::safe;
  return {make_entry("mutant-value-fresh-id", "redis-value-reentrant",
                     "an attempt after a lost answer has a fresh id, and waits for itself", make_fresh_id,
                     scope)};
}

}  // namespace holdfast::mutants
