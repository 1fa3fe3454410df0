#include "harness/machine/clock/vdso_image.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string_view>

namespace holdfast {
namespace {

// Typed reads of an image at positions that the image itself gave, and which may be nonsense.
class ImageBytes {
 public:
  explicit ImageBytes(std::span<const unsigned char> image) : image_(image) {}

  template <typename Value>
  std::optional<Value> at(std::uint64_t position) const {
    if (position > image_.size() || image_.size() - position < sizeof(Value)) {
      return std::nullopt;
    }
    Value value;
    std::memcpy(&value, image_.data() + position, sizeof(Value));
    return value;
  }

  std::string text_at(std::uint64_t position) const {
    std::string text;
    for (; position < image_.size() && image_[position] != 0; ++position) {
      text += static_cast<char>(image_[position]);
    }
    return text;
  }

 private:
  std::span<const unsigned char> image_;
};

struct Tables {
  std::uint64_t link_address = 0;
  std::uint64_t dynamic = 0;
  std::uint64_t symbols = 0;
  std::uint64_t strings = 0;
  std::uint64_t hash = 0;
};

Tables read_program_headers(const ImageBytes& bytes) {
  Tables tables;
  const auto header = bytes.at<Elf64_Ehdr>(0);
  const std::uint16_t count = header ? header->e_phnum : std::uint16_t{0};
  for (std::uint64_t index = 0; index < count; ++index) {
    const auto segment = bytes.at<Elf64_Phdr>(header->e_phoff + index * sizeof(Elf64_Phdr));
    if (segment && segment->p_type == PT_LOAD) {
      tables.link_address = segment->p_vaddr - segment->p_offset;
    } else if (segment && segment->p_type == PT_DYNAMIC) {
      tables.dynamic = segment->p_offset;
    }
  }
  return tables;
}

Tables read_tables(const ImageBytes& bytes) {
  Tables tables = read_program_headers(bytes);
  for (std::uint64_t position = tables.dynamic; tables.dynamic != 0; position += sizeof(Elf64_Dyn)) {
    const auto entry = bytes.at<Elf64_Dyn>(position);
    if (!entry || entry->d_tag == DT_NULL) {
      break;
    }
    const std::uint64_t target = entry->d_un.d_ptr - tables.link_address;
    switch (entry->d_tag) {
      case DT_SYMTAB:
        tables.symbols = target;
        break;
      case DT_STRTAB:
        tables.strings = target;
        break;
      case DT_HASH:
        tables.hash = target;
        break;
      default:
        break;
    }
  }
  return tables;
}

std::uint64_t count_symbols(const ImageBytes& bytes, const Tables& tables) {
  if (tables.hash != 0) {
    return bytes.at<std::uint32_t>(tables.hash + sizeof(std::uint32_t)).value_or(0);
  }
  // Without the old hash table nothing says how many, but every linker puts the names right behind.
  return tables.strings > tables.symbols ? (tables.strings - tables.symbols) / sizeof(Elf64_Sym) : 0;
}

std::string without_prefix(const std::string& name) {
  constexpr std::string_view prefix = "__vdso_";
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

constexpr std::string_view random_function = "getrandom";

bool is_clock_function(std::string_view name) {
  constexpr std::array<std::string_view, 3> names = {"clock_gettime", "gettimeofday", "time"};
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

bool is_elf_of_64_bits(std::span<const unsigned char> image) {
  return image.size() > EI_CLASS && std::memcmp(image.data(), ELFMAG, SELFMAG) == 0 &&
         image[EI_CLASS] == ELFCLASS64;
}

VdsoImage read_vdso(std::span<const unsigned char> image) {
  if (!is_elf_of_64_bits(image)) {
    return {};
  }
  const ImageBytes bytes(image);
  const Tables tables = read_tables(bytes);
  VdsoImage result{.link_address = tables.link_address, .functions = {}, .randoms = {}};
  const std::uint64_t count = count_symbols(bytes, tables);
  for (std::uint64_t index = 0; index < count; ++index) {
    const std::uint64_t position = tables.symbols + index * sizeof(Elf64_Sym);
    const auto symbol = bytes.at<Elf64_Sym>(position);
    if (!symbol) {
      break;
    }
    const std::string name = without_prefix(bytes.text_at(tables.strings + symbol->st_name));
    if (symbol->st_shndx != SHN_UNDEF && (is_clock_function(name) || name == random_function)) {
      auto& list = name == random_function ? result.randoms : result.functions;
      list.push_back({name, symbol->st_value, position + offsetof(Elf64_Sym, st_value)});
    }
  }
  return result;
}

}  // namespace holdfast
