// Checks histories of locks, and of what they protect: the one header of the library holdfast::check.
//
// harness/check/example/main.cpp shows how it is used.
#pragma once

#include "harness/check/linear/check_history.h"
