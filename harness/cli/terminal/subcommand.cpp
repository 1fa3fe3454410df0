#include "harness/cli/terminal/subcommand.h"

#include <CLI/CLI.hpp>
#include <utility>

namespace holdfast::cli {

// Extra words are kept instead of refused, so that program.cpp can say which word was probably meant.
Subcommand::Subcommand(CLI::App& app, const std::string& name, const std::string& description)
    : command_(app.add_subcommand(name, description)) {
  command_->allow_extras();
}

Subcommand& Subcommand::word(const std::string& name, std::string& target, const std::string& help) {
  command_->add_option(name, target, help);
  return *this;
}

Subcommand& Subcommand::words(const std::string& name, std::vector<std::string>& target,
                              const std::string& help) {
  command_->add_option(name, target, help);
  return *this;
}

Subcommand& Subcommand::rest_of_line(std::vector<std::string>& target) {
  command_->fallthrough(false);
  command_->prefix_command();
  command_->parse_complete_callback([command = command_, &target] { target = command->remaining(); });
  return *this;
}

Subcommand& Subcommand::option(const std::string& name, std::string& target, const std::string& help,
                               const std::string& value) {
  command_->add_option(name, target, help)->type_name(value)->capture_default_str();
  return *this;
}

Subcommand& Subcommand::options(const std::string& name, std::vector<std::string>& target,
                                const std::string& help, const std::string& value) {
  command_->add_option(name, target, help)->type_name(value)->allow_extra_args(false);
  return *this;
}

Subcommand& Subcommand::flag_or_option(const std::string& name, std::optional<std::string>& target,
                                       const std::string& help, const std::string& value) {
  command_
      ->add_option_function<std::vector<std::string>>(
          name,
          [&target](const std::vector<std::string>& values) {
            const bool is_bare =
                values.empty() || values.front() == "{}";  // as CLI11 says that there is none
            target = is_bare ? std::string() : values.front();
          },
          help)
      ->type_name(value)
      ->expected(0, 1);
  return *this;
}

Subcommand& Subcommand::flag(const std::string& name, bool& target, const std::string& help) {
  command_->add_flag(name, target, help);
  return *this;
}

Subcommand& Subcommand::footer(const std::string& text) {
  command_->footer(text);
  return *this;
}

void Subcommand::act(Handler& chosen, Handler action) {
  command_->callback([&chosen, action = std::move(action)] { chosen = action; });
}

}  // namespace holdfast::cli
