#include "harness/stores/redis/reply.h"

namespace holdfast::redis {
namespace {

void append_text(std::string& text, const Reply& reply) {
  switch (reply.kind) {
    case Reply::Kind::nil:
      text += "(nil)";
      return;
    case Reply::Kind::status:
    case Reply::Kind::error:
      text += reply.text;
      return;
    case Reply::Kind::integer:
      text += std::to_string(reply.number);
      return;
    case Reply::Kind::bulk:
      text += '"';
      text += reply.text;
      text += '"';
      return;
    case Reply::Kind::array:
      text += '[';
      for (std::size_t index = 0; index < reply.elements.size(); ++index) {
        if (index > 0) text += ", ";
        append_text(text, reply.elements[index]);
      }
      text += ']';
      return;
  }
}

}  // namespace

std::string to_text(const Reply& reply) {
  std::string text;
  append_text(text, reply);
  return text;
}

}  // namespace holdfast::redis
