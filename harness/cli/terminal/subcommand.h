// One command's part of the command line: its words, options and flags.
//
// Stands between the commands and CLI11, whose header costs seconds in every file that includes it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace holdfast::cli {

struct Invocation;
using Handler = std::function<int(Invocation&)>;

// What is read goes to the targets while parsing, so they must live until then: see act().
class Subcommand {
 public:
  Subcommand(CLI::App& app, const std::string& name, const std::string& description);

  // A value given by its place, such as SCENARIO.
  Subcommand& word(const std::string& name, std::string& target, const std::string& help);
  // Several of them.
  Subcommand& words(const std::string& name, std::vector<std::string>& target, const std::string& help);
  // All from the first word that is no option of this command, whatever it looks like: another program's
  // line.
  Subcommand& rest_of_line(std::vector<std::string>& target);
  // `value` is what the help calls the value. A target that is not empty is shown as the default.
  Subcommand& option(const std::string& name, std::string& target, const std::string& help,
                     const std::string& value = "TEXT");
  // May be given several times, with one value each.
  Subcommand& options(const std::string& name, std::vector<std::string>& target, const std::string& help,
                      const std::string& value = "TEXT");
  // A flag that may have a value; `target` is none if the flag is not given, and empty if only the flag is.
  Subcommand& flag_or_option(const std::string& name, std::optional<std::string>& target,
                             const std::string& help, const std::string& value);
  Subcommand& flag(const std::string& name, bool& target, const std::string& help);
  // What several commands share: `add` adds it, for this target.
  Subcommand& with(void (*add)(Subcommand& command, std::vector<std::string>& target),
                   std::vector<std::string>& target) {
    add(*this, target);
    return *this;
  }
  Subcommand& footer(const std::string& text);
  // When the user chose this command, `chosen` becomes `action`, which keeps the targets alive.
  void act(Handler& chosen, Handler action);

 private:
  CLI::App* command_;
};

}  // namespace holdfast::cli
