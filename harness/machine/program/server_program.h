// Which program to start for a server: the one that is installed here, one at a path, or one of a tree.
//
// A tree is another release, unpacked with all its libraries (.ci/other_releases.sh makes some). What is in
// it must not be mixed with what is installed, so a program of a tree is started by the tree's own loader,
// with the tree's own libraries. Knows no store: who starts a server says what its programs are called.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::live {

class ServerProgram {
 public:
  // Of this name, installed here: looked for when it is started (ChildOptions::arguments).
  explicit ServerProgram(std::string name);
  // What the user named: a program, or a tree, in which the first of `names` that is there is meant. Throws
  // LiveError with one sentence: there is no such file, it cannot be run, the tree has no such program, or
  // not all that it needs.
  ServerProgram(const std::filesystem::path& place, const std::vector<std::string>& names);

  // The words that start it; its own arguments come behind them.
  const std::vector<std::string>& command() const { return command_; }
  // "valkey-server", as messages call it.
  const std::string& name() const { return name_; }
  // Where the user said it is; empty: nowhere, it is the one that is installed.
  const std::string& place() const { return place_; }

 private:
  std::vector<std::string> command_;
  std::string name_;
  std::string place_;
};

// By the id of a store; one that is not in it is started as it is installed.
using ServerPrograms = std::map<std::string, ServerProgram, std::less<>>;

// That of the store, or the installed one of this name.
ServerProgram program_for(const ServerPrograms& programs, std::string_view store,
                          const std::string& installed_name);

}  // namespace holdfast::live
