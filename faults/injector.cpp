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
    for (const Phase phase : find_fault(scope->menu[entry].fault)->phases) {
      items_by_phase_.at(static_cast<std::size_t>(phase)).push_back(item);
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

void FaultInjector::on_step(const Step& step) {
  if (scope_ == nullptr || injected_.size() >= scope_->most_faults) {
    return;
  }
  const Taker taker{is_client_[index_of(step.client)] != 0,
                    step.server_ordinal != 0 && step.server != world_->storage};
  for (const Item& item : items_by_phase_[static_cast<std::size_t>(step.phase)]) {
    if (item.name.empty() || item.name == step.name) {
      try_item(item, step, taker);
    }
    if (injected_.size() >= scope_->most_faults) {
      return;
    }
  }
}

void FaultInjector::try_item(const Item& item, const Step& step, const Taker& taker) {
  const bool of_client = (item.on_clients && taker.is_client) || item.on == step.client;
  const bool of_server = taker.is_server && (item.on_servers || item.on == step.server);
  if (!of_client && !of_server) {
    return;
  }
  const ProcessId target = of_client ? step.client : step.server;
  const std::uint32_t ordinal = of_client ? step.client_ordinal : step.server_ordinal;
  if (target == world_process || ordinal > most_steps_of_a_process || !strikes(item.entry, target)) {
    return;
  }
  injected_.push_back({item.entry, target, ordinal});
  driver_->strike(scope_->menu[item.entry], target, step);
}

bool FaultInjector::strikes(std::size_t entry, ProcessId target) {
  Choices& choices = world_->kernel.choices();
  std::optional<StreamId>& stream = streams_[entry * is_client_.size() + index_of(target)];
  if (!stream) {
    stream = choices.open(
        {fault_stream, static_cast<std::uint32_t>(entry), static_cast<std::uint32_t>(index_of(target))});
  }
  ++questions_;
  return choices.choose(*stream, 2) == 1;
}

}  // namespace holdfast
