// What a person typed or wrote is wrong: one sentence says what, where, and what to do. Ends with exit
// code 2.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

class BadInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// there is no lock "redis-px-cda"; did you mean "redis-px-cad"? ("holdfast list locks" shows all)
// `what` is the kind of thing, `where_listed` the command that lists them all.
BadInput unknown_word(std::string_view what, std::string_view word, const std::vector<std::string>& known,
                      std::string_view where_listed);

}  // namespace holdfast
