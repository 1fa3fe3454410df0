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

struct UnfinishedTable {
  std::array<std::atomic<const char*>, slot_count> paths{};
  std::atomic<bool> is_ending = false;
  pid_t owner = 0;  // a child of a fork has the table, but not the files
};

UnfinishedTable& unfinished_table() {
  static UnfinishedTable table;
  return table;
}

void remove_all_and_end(int number) {
  UnfinishedTable& table = unfinished_table();
  if (::getpid() == table.owner) {
    table.is_ending = true;  // no other thread begins a file from now on
    for (const std::atomic<const char*>& path : table.paths) {
      if (const char* const each = path.load(); each != nullptr) {
        ::unlink(each);
      }
    }
  }
  ::signal(number, SIG_DFL);
  ::raise(number);  // held back until this handler returns
}

bool catch_ending_signals() {
  unfinished_table().owner = ::getpid();
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
  return true;
}

std::size_t take_slot(const char* path) {
  UnfinishedTable& table = unfinished_table();
  while (table.is_ending) {
    ::pause();
  }
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    const char* nobody = nullptr;
    if (table.paths[slot].compare_exchange_strong(nobody, path)) {
      return slot;
    }
  }
  return no_slot;
}

}  // namespace

UnfinishedName::UnfinishedName(std::string path) : path_(std::move(path)) {
  static const bool is_caught = catch_ending_signals();
  slot_ = is_caught ? take_slot(path_.c_str()) : no_slot;
}

UnfinishedName::~UnfinishedName() {
  if (!is_kept_) {
    ::unlink(path_.c_str());
  }
  if (slot_ != no_slot) {
    unfinished_table().paths[slot_] = nullptr;
  }
}

}  // namespace holdfast
