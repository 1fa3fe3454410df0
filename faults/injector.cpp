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
  items_.clear();
  for (std::vector<std::size_t>& entries : entries_by_phase_) {
    entries.clear();
  }
  for (const FaultSpec& spec : scope->menu) {
    Item item;
    if (world.kernel.choices().always_zero({fault_stream, static_cast<std::uint32_t>(items_.size()), 0})) {
      items_.push_back(item);
      continue;
    }
    for (const Phase phase : find_fault(spec.fault)->phases) {
      entries_by_phase_.at(static_cast<std::size_t>(phase)).push_back(items_.size());
    }
    item.name = spec.at.name;
    item.on_clients = spec.on == "clients";
    item.on_servers = spec.on == "servers";
    if (!item.on_clients && !item.on_servers) {
      item.on = driver.find(spec.on);
    }
    items_.push_back(item);
  }
}

void FaultInjector::on_step(const Step& step) {
  if (scope_ == nullptr || injected_.size() >= scope_->most_faults) {
    return;
  }
  const Taker taker{is_client_[index_of(step.client)] != 0,
                    step.server_ordinal != 0 && step.server != world_->storage};
  for (const std::size_t entry : entries_by_phase_[static_cast<std::size_t>(step.phase)]) {
    const std::string_view name = items_[entry].name;
    if (name.empty() || name == step.name) {
      try_entry(entry, step, taker);
    }
    if (injected_.size() >= scope_->most_faults) {
      return;
    }
  }
}

void FaultInjector::try_entry(std::size_t entry, const Step& step, const Taker& taker) {
  const Item& item = items_[entry];
  const bool of_client = (item.on_clients && taker.is_client) || item.on == step.client;
  const bool of_server = taker.is_server && (item.on_servers || item.on == step.server);
  const ProcessId target = of_client ? step.client : step.server;
  const std::uint32_t ordinal = of_client ? step.client_ordinal : step.server_ordinal;
  if ((!of_client && !of_server) || target == world_process || ordinal > most_steps_of_a_process ||
      !strikes(entry, target)) {
    return;
  }
  injected_.push_back({entry, target, ordinal});
  driver_->strike(scope_->menu[entry], target, step);
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
