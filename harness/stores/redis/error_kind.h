// What kind of error a server tells of, apart from its words: those change from release to release.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::redis {

// "ERR" of "ERR syntax error", "WRONGTYPE" of "WRONGTYPE Operation against …", "ERR in a script" of one that
// ended a script. A text that is no error stays as it is. In the text of an executed command ("SET k → ERR
// …") that goes for its reply.
std::string with_errors_by_kind(std::string_view text);

}  // namespace holdfast::redis
