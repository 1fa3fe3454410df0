#include "harness/cli/program.h"

int main(int argc, char** argv) {
  return holdfast::cli::run_program(argc, argv);
}
