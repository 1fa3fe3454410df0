// The real servers of `warp`, for every store that a run may ask for.
//
// They are started when they are first needed and kept from run to run, until this goes away.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "harness/stores/store.h"

namespace holdfast {

class RealServerSet {
 public:
  // `programs`: which to start, of stores whose installed ones are not wanted.
  explicit RealServerSet(live::ServerPrograms programs = {}) : programs_(std::move(programs)) {}

  // nullptr: the store has none to start. Throws LiveError if it has some, but not on this machine.
  RealServers* of(const Store& store) {
    auto found = by_store_.find(store.id());
    if (found == by_store_.end()) {
      found = by_store_.emplace(store.id(), store.start_real(programs_)).first;
    }
    return found->second.get();
  }

  // "redis-server 7.0.15", of the store; once one was started.
  std::string name_of(const Store& store) {
    const RealServers* const real = of(store);
    return real == nullptr ? std::string() : real->name();
  }

  // Requests carried out by all of them.
  std::uint64_t steps() const {
    std::uint64_t sum = 0;
    for (const auto& [store, real] : by_store_) {
      sum += real == nullptr ? 0 : real->steps();
    }
    return sum;
  }

 private:
  live::ServerPrograms programs_;
  std::map<std::string_view, std::unique_ptr<RealServers>> by_store_;  // by id
};

}  // namespace holdfast
