// The vDSO, the small library that the kernel maps into every program, as an ELF image in memory: where its
// symbols of the clock functions stand. Reads bytes only; a broken image has no symbols.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

struct VdsoSymbol {
  std::string name;            // "clock_gettime"; the vDSO has each with and without "__vdso_"
  std::uint64_t value = 0;     // where the function is, from the load address
  std::uint64_t value_at = 0;  // where in the image this value is stored
};

struct VdsoImage {
  // What the address of the image's first byte must be reduced by to give the load address.
  std::uint64_t link_address = 0;
  std::vector<VdsoSymbol> functions;  // those of the clock functions
  std::vector<VdsoSymbol> randoms;    // those of getrandom(), which newer kernels have there
};

bool is_elf_of_64_bits(std::span<const unsigned char> image);
VdsoImage read_vdso(std::span<const unsigned char> image);

}  // namespace holdfast
