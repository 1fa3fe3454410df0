// The register behind TCP: its answers, its tokens, copies of a write, and who is told.
#include "harness/stores/storage/storage_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <string>

#include "harness/stores/storage/storage_wire.h"

namespace holdfast::live {
namespace storage_service_test {

using boost::asio::ip::tcp;
using ::testing::ElementsAre;

class StorageServiceTest : public ::testing::Test {
 protected:
  explicit StorageServiceTest(bool checks_tokens = true)
      : service(context, {.checks_tokens = checks_tokens, .initial_value = 7},
                [this](std::size_t door, const StorageRequest& request,
                       const StorageRegister::Decision& decision) {
                  seen.push_back(std::to_string(door) + " " + to_text(request) +
                                 (decision.is_repeated ? " again" : ""));
                }) {}

  // Sends a line and waits for the one that answers it; empty: the connection ended.
  std::string ask(tcp::socket& socket, const std::string& line) {
    boost::asio::write(socket, boost::asio::buffer(line));
    std::string answer;
    bool is_over = false;
    boost::asio::async_read_until(socket, boost::asio::dynamic_buffer(answer), '\n',
                                  [&](const boost::system::error_code&, std::size_t) { is_over = true; });
    while (!is_over) {
      context.run_one_for(std::chrono::seconds(10));
    }
    return answer;
  }

  tcp::socket connect(std::uint16_t port) {
    tcp::socket socket(context);
    socket.connect({boost::asio::ip::address_v4::loopback(), port});
    return socket;
  }

  static StorageRequest write(std::int64_t value, std::int64_t token, std::uint32_t id) {
    StorageRequest request;
    request.kind = StorageRequest::Kind::write;
    request.value = value;
    request.token = token;
    request.write_id = id;
    return request;
  }

  boost::asio::io_context context;
  std::vector<std::string> seen;
  StorageService service;
};

TEST_F(StorageServiceTest, ReadsWritesAndRefusesAStaleToken) {
  tcp::socket socket = connect(service.listen(3));
  StorageRequest read;
  read.token = 5;
  EXPECT_EQ(storage_response(ask(socket, to_line(read))).value, 7);
  EXPECT_EQ(storage_response(ask(socket, to_line(write(8, 5, 1)))).version, 1);
  EXPECT_FALSE(storage_response(ask(socket, to_line(write(9, 4, 2)))).accepted);
  EXPECT_THAT(seen, ElementsAre("3 read with token 5", "3 write 8 with token 5", "3 write 9 with token 4"));
}

TEST_F(StorageServiceTest, AnswersACopyOfAWriteAsTheFirst) {
  tcp::socket one = connect(service.listen(0));
  tcp::socket other = connect(service.listen(1));
  EXPECT_EQ(storage_response(ask(one, to_line(write(8, 5, 1)))).version, 1);
  EXPECT_EQ(storage_response(ask(other, to_line(write(8, 5, 1)))).version, 1);
  EXPECT_THAT(seen, ElementsAre("0 write 8 with token 5", "1 write 8 with token 5 again"));
}

TEST_F(StorageServiceTest, DoesNotAnswerNonsense) {
  tcp::socket socket = connect(service.listen(0));
  EXPECT_EQ(ask(socket, "hello\n"), "");
}

}  // namespace storage_service_test
}  // namespace holdfast::live
