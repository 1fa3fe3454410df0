#include "faults/injector.h"

#include <algorithm>

#include "faults/catalog.h"

namespace holdfast {

void FaultInjector::reset(FaultWorld& world, FaultDriver& driver, const Scope* scope) {
  world_ = &world;
  driver_ = &driver;
  scope_ = scope;
  injected_.clear();
  questions_ = 0;
  if (scope == nullptr) {
    return;
  }
  const std::size_t processes = world.kernel.process_count();
  streams_.assign(scope->menu.size() * processes, std::nullopt);
  is_client_.assign(processes, 0);
  for (const ProcessId client : world.clients) {
    is_client_[index_of(client)] = 1;
  }
  for (std::vector<Item>& items : items_by_phase_) {
    items.clear();
  }
  for (std::size_t entry = 0; entry < scope->menu.size(); ++entry) {
    if (world.kernel.choices().always_zero({fault_stream, static_cast<std::uint32_t>(entry), 0})) {
      continue;
    }
    const Item item = looked_up(entry);
    const FaultSpec& spec = scope->menu[entry];
    for (const Phase phase : find_fault(spec.fault)->phases) {
      if (is_tried_at(spec, phase)) {
        items_by_phase_.at(static_cast<std::size_t>(phase)).push_back(item);
      }
    }
  }
}

FaultInjector::Item FaultInjector::looked_up(std::size_t entry) const {
  const FaultSpec& spec = scope_->menu[entry];
  Item item;
  item.entry = entry;
  item.name = spec.at.name;
  item.on_clients = spec.on == "clients";
  item.on_servers = spec.on == "servers";
  if (!item.on_clients && !item.on_servers) {
    item.on = driver_->find(spec.on);
  }
  return item;
}

// These three at every step, the last some hundred times a run: they are put into the loop below.
inline FaultInjector::Takers FaultInjector::takers_of(const Step& step) const {
  Takers takers;
  if (step.client_ordinal <= most_steps_of_a_process) {
    takers.caller = step.client;
    takers.client = is_client_[index_of(step.client)] != 0 ? step.client : world_process;
  }
  if (step.server_ordinal != 0 && step.server_ordinal <= most_steps_of_a_process &&
      step.server != world_->storage) {
    takers.server = step.server;
  }
  return takers;
}

inline ProcessId FaultInjector::target_of(const Item& item, const Takers& takers) {
  if (item.on_clients) {
    return takers.client;
  }
  if (item.on_servers) {
    return takers.server;
  }
  return item.on == takers.caller || item.on == takers.server ? item.on : world_process;
}

inline bool FaultInjector::strikes(std::size_t entry, ProcessId target) {
  Choices& choices = world_->kernel.choices();
  std::optional<StreamId>& stream = streams_[entry * is_client_.size() + index_of(target)];
  if (!stream) [[unlikely]] {
    stream = choices.open(
        {fault_stream, static_cast<std::uint32_t>(entry), static_cast<std::uint32_t>(index_of(target))});
  }
  ++questions_;
  return choices.choose(*stream, 2) == 1;
}

void FaultInjector::on_step(const Step& step) {
  if (scope_ == nullptr || injected_.size() >= scope_->most_faults) {
    return;
  }
  const Takers takers = takers_of(step);
  for (const Item& item : items_by_phase_[static_cast<std::size_t>(step.phase)]) {
    const ProcessId target = target_of(item, takers);
    if (target == world_process || (!item.name.empty() && item.name != step.name) ||
        !strikes(item.entry, target)) {
      continue;
    }
    injected_.push_back(
        {item.entry, target, target == step.client ? step.client_ordinal : step.server_ordinal});
    driver_->strike(scope_->menu[item.entry], target, step);
    if (injected_.size() >= scope_->most_faults) {
      return;
    }
  }
}

}  // namespace holdfast
