#include "harness/check/catalog.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace holdfast {
namespace {

constexpr std::array check_rows = {
    CheckRow{
        CheckId::mutual_exclusion, "mutual-exclusion", "mutual exclusion", LetterEffect::holders,
        "Never do two clients believe to hold the lock at the same time (or more than there are permits)."},
    CheckRow{CheckId::ownership, "ownership", "ownership", LetterEffect::holders,
             "Nobody loses the lock to a release by somebody who does not hold it (workload \"foreign\")."},
    CheckRow{CheckId::fencing_tokens, "fencing-tokens", "fencing tokens", LetterEffect::harm,
             "Tokens are new, grow along the order of grants, and storage rejects no write of a sole holder "
             "(locks that hand out tokens)."},
    CheckRow{CheckId::resource, "resource", "resource", LetterEffect::harm,
             "Storage accepts no write that was made from a stale reading, and sells no more than there is."},
    CheckRow{CheckId::latch, "latch", "latch", LetterEffect::harm,
             "Nobody passes before everybody has counted down (latches)."},
    CheckRow{CheckId::reentrancy, "re-entrancy", "re-entrancy", LetterEffect::holders,
             "Who acquired twice holds the lock until it has released twice."},
    CheckRow{CheckId::progress, "progress", "progress", LetterEffect::stuck,
             "Who waits before a free lock gets it at once, once the faults are over."},
    CheckRow{CheckId::fairness, "fairness", "fairness", LetterEffect::claim,
             "Grants come in the order of requests (locks that claim to be fair)."},
    CheckRow{CheckId::operation, "operation", "operation", LetterEffect::error,
             "Acquire and release do not always end in an error."},
    CheckRow{CheckId::undetected_loss, "undetected-loss", "undetected loss", LetterEffect::aside,
             "Who loses the lock while holding it learns of it before it writes."},
};

}  // namespace

std::span<const CheckRow> check_catalog() {
  return check_rows;
}

const CheckRow& row_of(CheckId check) {
  return check_rows.at(static_cast<std::size_t>(check));
}

const CheckRow* find_check(std::string_view id_or_name) {
  const auto* const found = std::ranges::find_if(
      check_rows, [&](const CheckRow& row) { return row.id == id_or_name || row.name == id_or_name; });
  return found == check_rows.end() ? nullptr : found;
}

std::vector<std::string> check_ids() {
  std::vector<std::string> ids;
  ids.reserve(check_rows.size());
  for (const CheckRow& row : check_rows) {
    ids.emplace_back(row.id);
  }
  return ids;
}

}  // namespace holdfast
