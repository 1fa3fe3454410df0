// holdfast clean --endpoints: removes from the user's servers what earlier runs left there, and says what.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "harness/cli/run/run_live.h"
#include "harness/cli/terminal/commands.h"
#include "harness/stores/redis/server/visit.h"
#include "harness/text/bad_input.h"
#include "harness/text/text_width.h"

namespace holdfast::cli {
namespace {

constexpr std::size_t most_named = 20;  // keys of a server
constexpr std::size_t widest_key = 100;

std::string cleared_text(const live::ClearedServer& server) {
  std::string text = fmt::format("{}: {} removed\n", server.name, counted(server.removed.size(), "key"));
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

int clean(const std::vector<std::string>& lists, Invocation& invocation) {
  if (lists.empty()) {
    throw BadInput("clean wants to know where: --endpoints HOST:PORT,…");
  }
  bool is_all = true;
  for (const std::string& endpoint : endpoints_in(lists)) {
    const live::ClearedServer cleared = live::clear_marked_keys(endpoint, server_password());
    invocation.output.print(cleared_text(cleared));
    is_all = is_all && cleared.problem.empty();
  }
  return is_all ? exit_well : exit_unknown;
}

}  // namespace

void add_clean_command(CLI::App& app, Handler& chosen) {
  const auto endpoints = std::make_shared<std::vector<std::string>>();
  Subcommand(
      app, "clean",
      "Removes from servers of yours the keys that earlier runs left there (holdfast:…: in their names), and "
      "says which. Not while a run is under way there: its keys would go, too.")
      .options("--endpoints", *endpoints, "the servers; the password is read from REDISCLI_AUTH",
               "HOST:PORT,…")
      .footer(
          "Exit codes: 0 all are gone, 2 bad input or a server that does not answer, 3 there may be more.")
      .act(chosen, [endpoints](Invocation& invocation) { return clean(*endpoints, invocation); });
}

}  // namespace holdfast::cli
