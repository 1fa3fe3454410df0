#include "harness/live/control/doors.h"

#include <utility>

namespace holdfast::live {
namespace {

class Words final : public CallText {
 public:
  Words(const std::string& request, const std::string& reply) : request_(request), reply_(reply) {}
  std::string request_text() const override { return request_; }
  std::string reply_text() const override { return reply_; }

 private:
  const std::string& request_;
  const std::string& reply_;
};

}  // namespace

Door::Door(boost::asio::io_context& context, DoorOptions options, DoorObserver& observer)
    : owner_(options.owner),
      server_name_(std::move(options.server_name)),
      observer_(observer),
      proxy_(context, {.make_wire = std::move(options.make_wire),
                       .target = std::move(options.target),
                       .watch = [this](Direction, const WireMessage& message) { watch(message); },
                       .complain = [this](const std::string& sentence) { observer_.on_trouble(sentence); },
                       .server_name = server_name_,
                       .unreachable =
                           [this](const boost::system::error_code& problem) {
                             observer_.on_unreachable(owner_, problem);
                           }}),
      link_(proxy_) {}

void Door::watch(const WireMessage& message) {
  static const std::string nothing;
  if (!message.trouble.empty()) {
    observer_.on_trouble(server_name_ + " " + message.trouble);
  }
  if (message.kind == MessageKind::request) {
    observer_.on_call(owner_, {Phase::arrived, message.name, message.connection},
                      Words(message.text, nothing));
  } else if (message.kind == MessageKind::answer) {
    observer_.on_call(owner_, {Phase::applied, message.name, message.connection},
                      Words(message.asked, message.text));
  }
}

}  // namespace holdfast::live
