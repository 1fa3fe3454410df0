// For tests: small clients of real servers, each of which speaks just enough of a protocol, at rests of a
// supervisor.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "harness/machine/rest/supervisor.h"
#include "harness/machine/rest/test_socket.h"

namespace holdfast::rest::test_held {

// MySQL's protocol. An answer is "", if there is none yet; "OK"; "E1205"; or the columns of all rows.
class MysqlClient {
 public:
  explicit MysqlClient(Supervisor& supervisor) : supervisor_(supervisor) {}

  bool open(const std::filesystem::path& path) {
    if (!socket_.dial(path)) {
      return false;
    }
    supervisor_.settle();
    socket_.read();
    socket_.inbox.clear();  // its greeting
    constexpr std::uint32_t capabilities = 0x1 | 0x200 | 0x8000 | 0x80000;
    constexpr std::uint32_t longest = 1 << 24;
    std::string login(reinterpret_cast<const char*>(&capabilities), sizeof capabilities);
    login.append(reinterpret_cast<const char*>(&longest), sizeof longest);
    login += static_cast<char>(45);  // utf8mb4
    login.append(23, '\0');
    login += std::string("root\0\0mysql_native_password\0", 28);
    supervisor_.deliver(socket_.get(), packet(login, 1));
    return answer() == "OK";
  }
  void ask(const std::string& statement) {
    supervisor_.deliver(socket_.get(), packet("\x03" + statement, 0));
  }
  std::string answer() {
    const std::vector<std::string> packets = take_packets();
    if (packets.empty()) {
      return "";
    }
    const auto kind = static_cast<unsigned char>(packets[0][0]);
    if (kind == 0) {
      return "OK";
    }
    if (kind == 0xff) {
      return fmt::format(
          "E{}", static_cast<unsigned char>(packets[0][1]) + 256 * static_cast<unsigned char>(packets[0][2]));
    }
    std::string columns;
    for (std::size_t index = 2 + kind; index + 1 < packets.size(); ++index) {
      for (std::size_t at = 0; at < packets[index].size();) {
        const auto length = static_cast<unsigned char>(packets[index][at]);
        const bool is_null = length == 251;
        columns += (columns.empty() ? "" : " ") + (is_null ? "NULL" : packets[index].substr(at + 1, length));
        at += is_null ? 1U : 1U + length;
      }
    }
    return columns;
  }
  std::string query(const std::string& statement) {
    ask(statement);
    return answer();
  }
  bool is_answered() { return socket_.has_something(); }

 private:
  static std::string packet(const std::string& body, int sequence) {
    std::string bytes;
    for (const int shift : {0, 8, 16}) {
      bytes += static_cast<char>(body.size() >> shift & 0xff);
    }
    return bytes + static_cast<char>(sequence) + body;
  }
  std::vector<std::string> take_packets() {
    std::vector<std::string> packets;
    std::string& bytes = socket_.inbox;
    socket_.read();
    while (bytes.size() > 4) {
      const std::size_t length =
          static_cast<unsigned char>(bytes[0]) + 256U * static_cast<unsigned char>(bytes[1]);
      packets.push_back(bytes.substr(4, length));
      bytes.erase(0, 4 + length);
    }
    return packets;
  }

  Supervisor& supervisor_;
  TestSocket socket_;
};

// etcd's gateway: JSON by HTTP.
class EtcdClient {
 public:
  explicit EtcdClient(Supervisor& supervisor) : supervisor_(supervisor) {}

  bool open(const std::filesystem::path& path) { return socket_.dial(path); }
  bool is_open() const { return socket_.is_open(); }
  void ask(const std::string& path, const std::string& body) {
    socket_.inbox.clear();
    supervisor_.deliver(socket_.get(),
                        fmt::format("POST {} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                                    "Content-Length: {}\r\n\r\n{}",
                                    path, body.size(), body));
  }
  std::string query(const std::string& path, const std::string& body) {
    ask(path, body);
    return socket_.read();
  }
  const std::string& heard() { return socket_.read(); }
  void forget() { socket_.inbox.clear(); }

  // "value" of "name":"value".
  static std::string field(const std::string& text, const std::string& name) {
    const std::string start = "\"" + name + "\":\"";
    const std::size_t at = text.find(start);
    return at == std::string::npos
               ? ""
               : text.substr(at + start.size(), text.find('"', at + start.size()) - at - start.size());
  }

 private:
  Supervisor& supervisor_;
  TestSocket socket_;
};

// ZooKeeper's protocol: frames of big-endian words.
class ZooKeeperClient {
 public:
  explicit ZooKeeperClient(Supervisor& supervisor) : supervisor_(supervisor) {}

  bool open(std::uint16_t port) { return socket_.dial(port); }
  bool is_open() const { return socket_.is_open(); }
  void close() { socket_.close(); }
  void begin_session(std::int32_t timeout_ms) {
    send(word(0) + word(0) + word(0) + word(timeout_ms) + word(0) + word(0) + word(16) +
         std::string(17, '\0'));
  }
  void create_ephemeral(const std::string& path) {
    send(word(++request_) + word(1) + text(path) + text("v") + word(1) + word(31) + text("world") +
         text("anyone") + word(1));
  }
  void exists(const std::string& path, bool watches) {
    send(word(++request_) + word(3) + text(path) + std::string(1, watches ? '\1' : '\0'));
  }
  void ping() { send(word(-2) + word(11)); }
  // What has come, as frames.
  std::vector<std::string> take_frames() {
    std::vector<std::string> frames;
    std::string& bytes = socket_.inbox;
    socket_.read();
    while (bytes.size() >= 4 && bytes.size() >= 4 + static_cast<std::size_t>(word_at(bytes, 0))) {
      const auto length = static_cast<std::size_t>(word_at(bytes, 0));
      frames.push_back(bytes.substr(4, length));
      bytes.erase(0, 4 + length);
    }
    return frames;
  }
  bool is_closed() {
    socket_.read();
    return socket_.is_closed;
  }
  static std::int32_t word_at(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    if (bytes.size() >= at + sizeof value) {
      std::memcpy(&value, bytes.data() + at, sizeof value);
    }
    return static_cast<std::int32_t>(ntohl(value));
  }

 private:
  static std::string word(std::int32_t value) {
    const std::uint32_t bytes = htonl(static_cast<std::uint32_t>(value));
    return {reinterpret_cast<const char*>(&bytes), sizeof bytes};
  }
  static std::string text(const std::string& content) {
    return word(static_cast<std::int32_t>(content.size())) + content;
  }
  void send(const std::string& frame) { supervisor_.deliver(socket_.get(), text(frame)); }

  Supervisor& supervisor_;
  TestSocket socket_;
  std::int32_t request_ = 0;
};

}  // namespace holdfast::rest::test_held
