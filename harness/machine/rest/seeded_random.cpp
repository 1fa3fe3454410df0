#include "harness/machine/rest/seeded_random.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <vector>

namespace holdfast::rest {

// splitmix64, as in harness/kernel/random_strategy.h.
void SeededRandom::fill(std::span<unsigned char> bytes) {
  while (!bytes.empty()) {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ULL;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebULL;
    mixed ^= mixed >> 31;
    const std::size_t count = std::min(bytes.size(), sizeof mixed);
    std::memcpy(bytes.data(), &mixed, count);
    bytes = bytes.subspan(count);
  }
}

live::Descriptor SeededRandom::open() {
  constexpr std::size_t length = 1 << 20;
  live::Descriptor file(::memfd_create("random", MFD_CLOEXEC));
  std::vector<unsigned char> content(length);
  fill(content);
  if (file && (::write(file.get(), content.data(), length) != static_cast<ssize_t>(length) ||
               ::lseek(file.get(), 0, SEEK_SET) != 0)) {
    return {};
  }
  return file;
}

}  // namespace holdfast::rest
