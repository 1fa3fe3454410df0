// Reads this process's own vDSO, whole and broken.
#include "harness/machine/clock/vdso_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/auxv.h>

#include <set>

namespace holdfast {
namespace vdso_image_test {

using testing::IsEmpty;

// One page is always there, and holds the tables.
std::vector<unsigned char> own_vdso() {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  const auto* start = reinterpret_cast<const unsigned char*>(::getauxval(AT_SYSINFO_EHDR));
  return start == nullptr ? std::vector<unsigned char>{} : std::vector<unsigned char>{start, start + 4096};
}

TEST(VdsoImage, GivesTheClockFunctionsUnderBothOfTheirNames) {
  const std::vector<unsigned char> bytes = own_vdso();
  if (bytes.empty()) {
    GTEST_SKIP() << "the kernel gives its programs no vDSO";
  }
  const VdsoImage image = read_vdso(bytes);
  std::multiset<std::string> names;
  for (const VdsoSymbol& symbol : image.functions) {
    names.insert(symbol.name);
    EXPECT_NE(symbol.value, 0U);
  }
  EXPECT_EQ(names.count("clock_gettime"), 2U);
  EXPECT_EQ(names.count("gettimeofday"), 2U);
  for (const VdsoSymbol& symbol : image.randoms) {
    EXPECT_EQ(symbol.name, "getrandom");
    EXPECT_NE(symbol.value, 0U);
  }
}

TEST(VdsoImage, HasNoSymbolsIfItIsCutShort) {
  const std::vector<unsigned char> bytes = own_vdso();
  for (std::size_t length = 0; length < 400 && length < bytes.size(); ++length) {
    EXPECT_THAT(read_vdso(std::span(bytes).first(length)).functions, IsEmpty()) << length;
  }
}

TEST(VdsoImage, OfNonsenseIsReadWithoutHarm) {
  std::vector<unsigned char> bytes = own_vdso();
  for (std::size_t position = 16; position < bytes.size(); position += 3) {
    bytes[position] = static_cast<unsigned char>(bytes[position] ^ 0xffU);
    read_vdso(bytes);
  }
  EXPECT_FALSE(is_elf_of_64_bits(std::span(bytes).first(0)));
}

}  // namespace vdso_image_test
}  // namespace holdfast
