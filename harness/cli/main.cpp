#include <string_view>

#include "harness/cli/program.h"
#include "harness/cli/terminal/output.h"
#include "harness/live/client/client_program.h"
#include "harness/stores/redis/server/key_keeper.h"

int main(int argc, char** argv) {
  holdfast::cli::occupy_standard_descriptors();
  // A client of a live run, started by another holdfast: not a command for people.
  if (argc == 2 && std::string_view(argv[1]) == "live-client") {
    return holdfast::live::run_client_program();
  }
  if (argc == 2 && std::string_view(argv[1]) == holdfast::live::key_keeper_word) {
    return holdfast::live::run_key_keeper();
  }
  return holdfast::cli::run_program(argc, argv);
}
