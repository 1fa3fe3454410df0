// Where a rule may be broken, and why: the doors built for it, and the few exceptions.
//
// A new row is a decision about the design; its reason is what the next reader will ask for.
#pragma once

#include <span>
#include <string_view>

namespace holdfast::lint {

struct Allowance {
  std::string_view files;  // a path below the top of the repository; * stands for anything
  std::string_view rule;
  std::string_view reason;
};

std::span<const Allowance> allowances();

// Whether `path` fits `pattern`, in which * stands for any characters, slashes included.
bool fits(std::string_view path, std::string_view pattern);

// A whole folder (x/*) or all tests (*_test.cpp): a place built for the thing, which may stand there
// before it is used. Any other allowance must be needed as soon as its file exists.
bool is_door(const Allowance& allowance);

}  // namespace holdfast::lint
