// --server NAME=PROGRAM: which program to start for the servers of a store, of the commands that start real
// ones.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/terminal/subcommand.h"
#include "harness/machine/program/server_program.h"

namespace holdfast::cli {

// What the user typed, each "redis=/path". `servers` must live as Subcommand says.
void add_server_option(Subcommand& command, std::vector<std::string>& servers);

// Throws BadInput: no such store, no such program, a store named twice.
live::ServerPrograms server_programs_from(const std::vector<std::string>& servers);

// " --server redis=/path", for the command that does it again; empty if nothing was typed.
std::string server_words(const std::vector<std::string>& servers);

}  // namespace holdfast::cli
