#include <string_view>

#include "harness/cli/program.h"
#include "harness/cli/terminal/output.h"
#include "harness/live/client/client_program.h"

int main(int argc, char** argv) {
  holdfast::cli::occupy_standard_descriptors();
  // A client of a live run, started by another holdfast: not a command for people.
  if (argc == 2 && std::string_view(argv[1]) == "live-client") {
    return holdfast::live::run_client_program();
  }
  return holdfast::cli::run_program(argc, argv);
}
