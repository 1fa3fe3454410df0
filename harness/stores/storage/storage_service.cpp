#include "harness/stores/storage/storage_service.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <string>
#include <utility>

#include "harness/machine/net/peer.h"
#include "harness/machine/process/live_error.h"
#include "harness/stores/storage/storage_wire.h"

namespace holdfast::live {
namespace {

using boost::asio::ip::tcp;
using Problem = boost::system::error_code;

constexpr std::size_t longest_request_line = 65'536;

}  // namespace

// One request after another, each answered before the next is read.
class StorageService::Connection final : public std::enable_shared_from_this<Connection> {
 public:
  Connection(StorageService& owner, tcp::socket socket, std::size_t door)
      : owner_(&owner), socket_(std::move(socket)), door_(door) {}

  void read() {
    boost::asio::async_read_until(socket_, boost::asio::dynamic_buffer(inbox_, longest_request_line), '\n',
                                  [self = shared_from_this()](const Problem& problem, std::size_t size) {
                                    if (!problem && self->owner_ != nullptr) {
                                      self->serve(size);
                                    }
                                  });
  }

  void close() {
    owner_ = nullptr;
    Problem ignored;
    socket_.close(ignored);
  }

 private:
  void serve(std::size_t size) {
    try {
      const StorageRequest request = storage_request(std::string_view(inbox_).substr(0, size));
      const StorageRegister::Decision decision = owner_->register_.decide(request);
      owner_->observer_(door_, request, decision);
      outbox_ = to_line(decision.after);
    } catch (const LiveError&) {
      close();  // who talks nonsense is not answered
      return;
    }
    inbox_.erase(0, size);
    boost::asio::async_write(socket_, boost::asio::buffer(outbox_),
                             [self = shared_from_this()](const Problem& problem, std::size_t) {
                               if (!problem && self->owner_ != nullptr) {
                                 self->read();
                               }
                             });
  }

  StorageService* owner_;  // nullptr: closed
  tcp::socket socket_;
  std::size_t door_;
  std::string inbox_;
  std::string outbox_;
};

StorageService::StorageService(boost::asio::io_context& context, const StorageOptions& options,
                               Observer observer)
    : context_(context), observer_(std::move(observer)) {
  register_.reset(options);
}

StorageService::~StorageService() {
  for (const std::weak_ptr<Connection>& each : connections_) {
    if (const auto connection = each.lock()) {
      connection->close();
    }
  }
}

std::uint16_t StorageService::listen(std::size_t number) {
  doors_.push_back(std::make_unique<Door>(context_, number));
  Door& door = *doors_.back();
  try {
    door.acceptor.open(tcp::v4());
    door.acceptor.bind({boost::asio::ip::address_v4::loopback(), 0});
    door.acceptor.listen();
  } catch (const boost::system::system_error& problem) {
    throw LiveError(std::string("storage cannot listen on the loopback address: ") + problem.what());
  }
  accept(door);
  return door.acceptor.local_endpoint().port();
}

void StorageService::accept(Door& door) {
  door.acceptor.async_accept([this, &door](const Problem& problem, tcp::socket socket) {
    if (problem == boost::asio::error::operation_aborted) {
      return;  // `this` may be gone
    }
    if (!problem && is_of_our_user(socket.native_handle())) {
      Problem ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      std::erase_if(connections_, [](const auto& each) { return each.expired(); });
      const auto connection = std::make_shared<Connection>(*this, std::move(socket), door.number);
      connections_.push_back(connection);
      connection->read();
    }
    accept(door);
  });
}

}  // namespace holdfast::live
