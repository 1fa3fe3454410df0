#include "harness/history/read/history_names.h"

#include <fmt/format.h>

#include "harness/history/read/quote.h"

namespace holdfast {
namespace {

constexpr std::size_t longest_name_bytes = 200;

}  // namespace

std::string_view usual_key(Action action) {
  switch (action) {
    case Action::acquire:
    case Action::try_acquire:
    case Action::release:
      return "lock";
    case Action::read:
    case Action::write:
    case Action::compare_and_set:
    case Action::add:
      return "resource";
    case Action::count_down:
    case Action::await_zero:
      return "latch";
  }
  return "";
}

KeyNumber HistoryNames::usual_key_of(Action action) {
  return keys_.number_of(usual_key(action));
}

ClientNumber HistoryNames::client(std::uint32_t process, std::uint32_t thread) {
  bool added = false;
  const std::uint32_t number = threads_.number_of(process, thread, added);
  if (added) {
    current_.push_back(0);
  }
  ClientNumber& client = current_[number];
  if (added || clients_[client].is_dead) {
    client = static_cast<ClientNumber>(clients_.size());
    clients_.push_back({process, thread, 0, false});
  }
  return client;
}

std::optional<ClientNumber> HistoryNames::known_client(std::uint32_t process, std::uint32_t thread) const {
  const std::optional<std::uint32_t> number = threads_.find(process, thread);
  return number && !clients_[current_[*number]].is_dead ? std::optional(current_[*number]) : std::nullopt;
}

std::vector<ClientNumber> HistoryNames::clients_of(std::uint32_t process) const {
  std::vector<ClientNumber> result;
  for (const ClientNumber client : current_) {
    if (clients_[client].process == process) {
      result.push_back(client);
    }
  }
  return result;
}

std::vector<std::string> HistoryNames::client_names() const {
  std::vector<std::uint32_t> threads_per_process(processes_.names().size());
  for (const ClientNumber client : current_) {
    ++threads_per_process[clients_[client].process];
  }
  std::vector<std::string> result;
  result.reserve(clients_.size());
  for (const Client& client : clients_) {
    const std::string process = printable(processes_.name(client.process), longest_name_bytes);
    const bool alone = threads_per_process[client.process] == 1;
    result.push_back(alone || client.thread == 0 ? process : fmt::format("{}:{}", process, client.thread));
  }
  return result;
}

std::vector<std::string> HistoryNames::key_names() const {
  std::vector<std::string> result;
  result.reserve(keys_.names().size());
  for (const std::string& name : keys_.names()) {
    result.push_back(printable(name, longest_name_bytes));
  }
  return result;
}

}  // namespace holdfast
