// holdfast clean --endpoints: removes from the user's servers what earlier runs left there, and says what.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "harness/cli/run/run_live.h"
#include "harness/cli/terminal/commands.h"
#include "harness/stores/live_servers.h"
#include "harness/text/bad_input.h"
#include "harness/text/text_width.h"

namespace holdfast::cli {
namespace {

constexpr std::size_t most_named = 20;  // keys of a server
constexpr std::size_t widest_key = 100;

std::string cleared_text(const live::ClearedServer& server, std::string_view thing) {
  std::string text = fmt::format("{}: {} removed\n", server.name, counted(server.removed.size(), thing));
  for (std::size_t index = 0; index < std::min(most_named, server.removed.size()); ++index) {
    text += fmt::format("  {}\n", shortened(printable(server.removed[index]), widest_key));
  }
  if (server.removed.size() > most_named) {
    text += fmt::format("  and {} more\n", server.removed.size() - most_named);
  }
  if (!server.problem.empty()) {
    text += fmt::format("  there may be more: {}\n", server.problem);
  }
  return text;
}

struct CleanOptions {
  std::vector<std::string> endpoints;
  std::string store;
};

// Nothing was said: the only one there is.
const Store& store_to_clean(const std::string& id) {
  const std::vector<const Store*> stores = stores_with_endpoints();
  std::vector<std::string> known;
  for (const Store* const store : stores) {
    if (store->id() == id || (id.empty() && stores.size() == 1)) {
      return *store;
    }
    known.emplace_back(store->id());
  }
  if (id.empty()) {
    throw BadInput(fmt::format("clean wants to know what servers these are: --store {}",
                               fmt::join(known, ", or --store ")));
  }
  throw unknown_word("store with servers of yours called", id, known, "holdfast list locks");
}

int clean(const CleanOptions& options, Invocation& invocation) {
  if (options.endpoints.empty()) {
    throw BadInput("clean wants to know where: --endpoints HOST:PORT,…");
  }
  const Store& store = store_to_clean(options.store);
  bool is_all = true;
  for (const std::string& endpoint : endpoints_in(options.endpoints)) {
    const live::ClearedServer cleared = store.clear(endpoint, server_password(store));
    invocation.output.print(cleared_text(cleared, store.left_thing()));
    is_all = is_all && cleared.problem.empty();
  }
  return is_all ? exit_well : exit_unknown;
}

}  // namespace

void add_clean_command(CLI::App& app, Handler& chosen) {
  const auto options = std::make_shared<CleanOptions>();
  Subcommand(
      app, "clean",
      "Removes from servers of yours the keys that earlier runs left there (holdfast:…: in their names), and "
      "says which. Not while a run is under way there: its keys would go, too.")
      .options("--endpoints", options->endpoints, "the servers; " + where_passwords_are(), "HOST:PORT,…")
      .option("--store", options->store, "what servers these are; needed only if there are several kinds",
              "ID")
      .footer(
          "Exit codes: 0 all are gone, 2 bad input or a server that does not answer, 3 there may be more.")
      .act(chosen, [options](Invocation& invocation) { return clean(*options, invocation); });
}

}  // namespace holdfast::cli
