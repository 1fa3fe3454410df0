#include "harness/files/unfinished_name.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <utility>

namespace holdfast {
namespace {

// What a signal handler may look at: plain memory that is there from the start. A file for which there is no
// room is not removed by a signal, which is no worse than having no handler.
constexpr std::size_t slot_count = 256;
constexpr std::size_t no_slot = slot_count;
constexpr std::array ending_signals{SIGINT, SIGTERM, SIGHUP, SIGQUIT};

struct UnfinishedSlot {
  std::atomic<const char*> path = nullptr;
  std::atomic<pid_t> owner = 0;  // a child of a fork has the table, but not the files
};

struct UnfinishedTable {
  std::array<UnfinishedSlot, slot_count> slots{};
  std::atomic<bool> is_ending = false;
};

UnfinishedTable& unfinished_table() {
  static UnfinishedTable table;
  return table;
}

void remove_all_and_end(int number) {
  UnfinishedTable& table = unfinished_table();
  table.is_ending = true;  // no other thread begins a file from now on
  for (const UnfinishedSlot& slot : table.slots) {
    const char* const path = slot.path.load();
    if (path != nullptr && slot.owner.load() == ::getpid()) {
      ::unlink(path);
    }
  }
  ::signal(number, SIG_DFL);
  ::raise(number);  // held back until this handler returns
}

void catch_ending_signals() {
  for (const int number : ending_signals) {
    struct sigaction before{};
    if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_DFL) {
      struct sigaction action{};
      action.sa_handler = remove_all_and_end;
      for (const int other : ending_signals) {
        ::sigaddset(&action.sa_mask, other);
      }
      ::sigaction(number, &action, nullptr);
    }
  }
}

std::size_t take_slot(const char* path) {
  UnfinishedTable& table = unfinished_table();
  while (table.is_ending) {
    ::pause();
  }
  for (std::size_t index = 0; index < slot_count; ++index) {
    const char* nobody = nullptr;
    if (table.slots[index].path.compare_exchange_strong(nobody, path)) {
      table.slots[index].owner = ::getpid();
      return index;
    }
  }
  return no_slot;
}

}  // namespace

UnfinishedName::UnfinishedName(std::string path) : path_(std::move(path)), slot_(take_slot(path_.c_str())) {
  catch_ending_signals();
}

UnfinishedName::~UnfinishedName() {
  if (!is_kept_) {
    ::unlink(path_.c_str());
  }
  if (slot_ != no_slot) {
    unfinished_table().slots[slot_].path = nullptr;
  }
}

}  // namespace holdfast
