#include "harness/cli/terminal/server_option.h"

#include <fmt/format.h>

#include "harness/machine/process/live_error.h"
#include "harness/stores/store.h"
#include "harness/text/bad_input.h"
#include "harness/text/shell_word.h"
#include "harness/text/text_width.h"

namespace holdfast::cli {
namespace {

const Store& store_with_programs(const std::string& id) {
  std::vector<std::string> known;
  for (const Store* const store : all_stores()) {
    if (store->program_names().empty()) {
      continue;
    }
    if (id == store->id()) {
      return *store;
    }
    known.emplace_back(store->id());
  }
  throw unknown_word("store with real servers called", id, known, "holdfast list locks");
}

}  // namespace

void add_server_option(Subcommand& command, std::vector<std::string>& servers) {
  command.options("--server", servers,
                  "start this for the real servers of a store, such as redis=/usr/local/bin/valkey-server: a "
                  "program, or a tree of another release (.ci/other_releases.sh); repeatable",
                  "NAME=PROGRAM");
}

live::ServerPrograms server_programs_from(const std::vector<std::string>& servers) {
  live::ServerPrograms programs;
  for (const std::string& word : servers) {
    const std::size_t sign = word.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == word.size()) {
      throw BadInput(
          fmt::format("--server takes NAME=PROGRAM, such as redis=/usr/local/bin/redis-server, not \"{}\"",
                      shortened(printable(word), 60)));
    }
    const Store& store = store_with_programs(word.substr(0, sign));
    try {
      const auto [place, is_new] =
          programs.emplace(store.id(), live::ServerProgram(word.substr(sign + 1), store.program_names()));
      if (!is_new) {
        throw BadInput(fmt::format("--server names {} twice; leave one of them out", store.id()));
      }
    } catch (const live::LiveError& problem) {
      const std::string sentence = problem.what();
      throw BadInput(fmt::format("--server {}: {}", shortened(printable(word), 60),
                                 sentence.substr(0, sentence.size() - 1)));
    }
  }
  return programs;
}

std::string server_words(const std::vector<std::string>& servers) {
  std::string words;
  for (const std::string& word : servers) {
    words += " --server " + shell_word(word);
  }
  return words;
}

}  // namespace holdfast::cli
