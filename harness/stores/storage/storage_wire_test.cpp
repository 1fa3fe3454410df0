// A connection to storage read message by message, and what is no message of it.
#include "harness/stores/storage/storage_wire.h"

#include <gtest/gtest.h>

#include "harness/machine/process/live_error.h"

namespace holdfast::live {
namespace storage_wire_test {

StorageRequest a_write() {
  StorageRequest request;
  request.kind = StorageRequest::Kind::write;
  request.value = 5;
  return request;
}

TEST(StorageWire, AnswersBelongToRequestsInTheirOrder) {
  StorageWire wire;
  const std::string line = to_line(a_write());
  EXPECT_FALSE(wire.feed(Direction::to_server, line.substr(0, line.size() - 1)).has_value());
  const auto request = wire.feed(Direction::to_server, line + line);
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(request->length, line.size());
  EXPECT_EQ(request->kind, MessageKind::request);
  EXPECT_EQ(request->name, "write");
  wire.feed(Direction::to_server, to_line(StorageRequest()));
  const std::string response = to_line(StorageResponse{true, 5, 1});
  const auto answer = wire.feed(Direction::to_client, response);
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->kind, MessageKind::answer);
  EXPECT_EQ(answer->asked, request->text);
  EXPECT_EQ(wire.feed(Direction::to_client, response)->name, "read");
  EXPECT_EQ(wire.feed(Direction::to_client, response)->kind, MessageKind::noise);
}

TEST(StorageWire, EachSideSaysWhatIsItsOwnToSay) {
  EXPECT_THROW(StorageWire().feed(Direction::to_server, to_line(StorageResponse())), LiveError);
  EXPECT_THROW(StorageWire().feed(Direction::to_client, to_line(a_write())), LiveError);
  EXPECT_THROW(StorageWire().feed(Direction::to_server, "\x1b[2J\n"), LiveError);
  EXPECT_THROW(StorageWire().feed(Direction::to_client, std::string(100'000, 'x')), LiveError);
}

TEST(StorageWire, RemembersSoManyUnansweredRequestsAndNoMore) {
  StorageWire wire;
  const std::string line = to_line(a_write());
  EXPECT_THROW(
      {
        for (int count = 0; count < 100'000; ++count) {
          wire.feed(Direction::to_server, line);
        }
      },
      LiveError);
}

}  // namespace storage_wire_test
}  // namespace holdfast::live
