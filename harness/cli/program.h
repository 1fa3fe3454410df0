// The program: reads its command line, does what it says, and turns every problem into one sentence.
#pragma once

namespace holdfast::cli {

// Returns the exit code (see ExitCode).
int run_program(int argc, char** argv);

}  // namespace holdfast::cli
