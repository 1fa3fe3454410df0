#include <algorithm>
#include <array>

#include "harness/kernel/require.h"
#include "harness/stores/list.h"
#include "harness/stores/store.h"

namespace holdfast {

#define HOLDFAST_DECLARE_STORE(id) const Store& id##_store();
HOLDFAST_STORES(HOLDFAST_DECLARE_STORE)
#undef HOLDFAST_DECLARE_STORE

std::span<const Store* const> all_stores() {
#define HOLDFAST_STORE_ADDRESS(id) &id##_store(),
  static const std::array stores{HOLDFAST_STORES(HOLDFAST_STORE_ADDRESS)};
#undef HOLDFAST_STORE_ADDRESS
  return stores;
}

const Store* find_store(std::string_view id) {
  for (const Store* const store : all_stores()) {
    if (store->id() == id) {
      return store;
    }
  }
  return nullptr;
}

const Store& store_called(std::string_view id) {
  const Store* const store = find_store(id);
  require(store != nullptr, "a lock's catalog entry names a store that exists");
  return *store;
}

bool is_member_name(std::string_view name, std::size_t replicas) {
  for (const Store* const store : all_stores()) {
    if (!store->has_servers() || !name.starts_with(store->id())) {
      continue;
    }
    std::string_view rest = name.substr(store->id().size());
    if (rest.size() >= 2 && rest[0] == '-' && rest[1] >= '1' && rest[1] <= '9') {
      rest.remove_prefix(2);
    }
    if (rest.size() == 2 && rest[0] == '-' && rest[1] >= 'b' && rest[1] <= 'z') {
      return static_cast<std::size_t>(rest[1] - 'a') <= replicas;
    }
    if (rest.empty()) {
      return true;
    }
  }
  return false;
}

bool names_a_store(std::string_view name) {
  return std::ranges::any_of(all_stores(), [&](const Store* store) {
    return store->has_servers() && name.starts_with(store->id());
  });
}

}  // namespace holdfast
