#include "harness/fuzz/history_target.h"

#include <algorithm>
#include <memory>
#include <string>

#include "harness/fuzz/targets.h"
#include "harness/history/read/history_error.h"
#include "harness/history/read/read_history.h"

namespace holdfast::fuzz {
namespace {

constexpr std::string_view file_name = "history";

// Few bytes at a time, so that tokens and lines lie across the ends of blocks.
class Pieces final : public ByteSource {
 public:
  explicit Pieces(std::string_view bytes) : rest_(bytes) {}
  std::size_t read(std::span<char> room) override {
    piece_bytes_ = piece_bytes_ % 61 + 1;
    const std::size_t count = rest_.copy(room.data(), std::min(room.size(), piece_bytes_));
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
  std::size_t piece_bytes_ = 1;
};

// Everything that was heard, mixed into one number. Also requires that numbers are handed out in order.
class Listener final : public HistoryConsumer {
 public:
  void on_call(const CallEvent& event) override {
    mix(static_cast<std::uint64_t>(event.type));
    mix(static_cast<std::uint64_t>(event.action));
    mix(static_cast<std::uint64_t>(event.mode) * 2 + (event.refused ? 1 : 0));
    mix(event.client);
    mix(event.key);
    mix(static_cast<std::uint64_t>(event.token.value_or(-1)));
    mix(static_cast<std::uint64_t>(event.value.value_or(-1)));
    mix(static_cast<std::uint64_t>(event.expected.value_or(-1)));
    mix(static_cast<std::uint64_t>(event.time));
    mix(event.line);
    clients = std::max<std::size_t>(clients, event.client + std::size_t{1});
    keys = std::max<std::size_t>(keys, event.key + std::size_t{1});
    ++calls;
  }
  void on_fault(const FaultEvent& event) override {
    mix(event.process.size());
    mix(event.text.size());
    mix(event.line);
  }

  std::uint64_t heard = 0;
  std::size_t clients = 0;
  std::size_t keys = 0;
  std::uint64_t calls = 0;

 private:
  void mix(std::uint64_t value) {
    heard = (heard ^ value) * 0x9e3779b97f4a7c15U;
    heard ^= heard >> 29U;
  }
};

HistoryResult listen(std::unique_ptr<ByteSource> bytes, HistoryFormat format, Listener& listener) {
  try {
    Source source = Source::from_bytes(std::move(bytes), std::string(file_name));
    return read_history(source, format, {}, listener);
  } catch (const HistoryError& error) {
    return error.what();  // opening looks at the first bytes, which may be broken gzip
  }
}

void require_agreement(const HistorySummary& summary, const Listener& listener) {
  const bool known = listener.clients <= summary.client_names.size() &&
                     (listener.keys <= summary.key_names.size() || summary.key_names.empty());
  if (!known || listener.calls != summary.calls) {
    throw Broken("a summary that does not know all clients, keys or calls");
  }
}

class Whole final : public ByteSource {
 public:
  explicit Whole(std::string_view bytes) : rest_(bytes) {}
  std::size_t read(std::span<char> room) override {
    const std::size_t count = rest_.copy(room.data(), room.size());
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

}  // namespace

void try_history(std::string_view bytes, HistoryFormat format) {
  Listener whole;
  Listener pieces;
  const HistoryResult first = listen(std::make_unique<Whole>(bytes), format, whole);
  const HistoryResult second = listen(std::make_unique<Pieces>(bytes), format, pieces);
  if (first.index() != second.index() || whole.heard != pieces.heard) {
    throw Broken("a history that reads differently in small pieces");
  }
  if (const std::string* sentence = std::get_if<std::string>(&first)) {
    require_one_sentence(*sentence, file_name);
    if (*sentence != std::get<std::string>(second)) {
      throw Broken("a refusal that differs when the bytes come in small pieces: " + *sentence);
    }
    return;
  }
  require_agreement(std::get<HistorySummary>(first), whole);
}

}  // namespace holdfast::fuzz
