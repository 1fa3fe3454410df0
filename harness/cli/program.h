// The program: reads its command line, does what it says, and turns every problem into one sentence.
#pragma once

#include <functional>

namespace holdfast::cli {

class Output;

// Returns the exit code (see ExitCode).
int run_program(int argc, char** argv);

// Does it, and turns what leaves it into one sentence on standard error and an exit code.
int with_one_sentence(Output& output, const std::function<int()>& act);

}  // namespace holdfast::cli
