#include "harness/machine/clock/vdso_code.h"

#include <cstring>

#include "harness/machine/clock/clock_page_layout.h"

#if defined(__x86_64__)

#define HOLDFAST_TEXT_OF(number) #number
#define HOLDFAST_TEXT(macro) HOLDFAST_TEXT_OF(macro)

// Data to this program, hence in .rodata. The functions keep to the C calling convention. A number is divided
// by 10^9 and by 1000 as compilers do it: by a multiplication that is exact for every value that can occur.
asm(R"(
  .pushsection .rodata
  .intel_syntax noprefix
  .balign 64
  .globl holdfast_vdso_start, holdfast_vdso_time_of_day, holdfast_vdso_seconds, holdfast_vdso_originals
  .globl holdfast_vdso_refusal, holdfast_vdso_end
  .hidden holdfast_vdso_start, holdfast_vdso_time_of_day, holdfast_vdso_seconds, holdfast_vdso_originals
  .hidden holdfast_vdso_refusal, holdfast_vdso_end

# int clock_gettime(edi: clock, rsi: result)
holdfast_vdso_start:
  lea r8, [rip + holdfast_vdso_start + )" HOLDFAST_TEXT(HOLDFAST_CLOCK_PAGE_BYTES) R"(]
  cmp edi, )" HOLDFAST_TEXT(HOLDFAST_LAST_CLOCK) R"(
  ja 2f
  mov ecx, edi
  mov eax, 1
  shl eax, cl
  lea r9, [r8 + )" HOLDFAST_TEXT(HOLDFAST_CLOCK_AT_WALL) R"(]
  test eax, )" HOLDFAST_TEXT(HOLDFAST_WALL_CLOCKS) R"(
  jnz 1f
  lea r9, [r8 + )" HOLDFAST_TEXT(HOLDFAST_CLOCK_AT_MONO) R"(]
  test eax, )" HOLDFAST_TEXT(HOLDFAST_MONO_CLOCKS) R"(
  jz 2f
1: # r9: the clock's reading in the page. The count behind the page is nobody's lock: one more or less is well.
  inc qword ptr [r8 + )" HOLDFAST_TEXT(HOLDFAST_CLOCK_PAGE_BYTES) R"(]
  cmp dword ptr [r8 + )" HOLDFAST_TEXT(HOLDFAST_CLOCK_AT_MODE) R"(], )" HOLDFAST_TEXT(
    HOLDFAST_CLOCK_VIRTUAL) R"(
  jne 4f
  mov rax, [r9]
3: # rax: the reading, for the result
  mov rcx, rax
  shr rax, 9
  movabs rdx, 0x44b82fa09b5a53
  mul rdx
  shr rdx, 11
  mov [rsi], rdx
  imul rdx, rdx, 1000000000
  sub rcx, rdx
  mov [rsi + 8], rcx
  xor eax, eax
  ret
2: # not replaced
  jmp qword ptr [rip + holdfast_vdso_originals]
4: # real time plus an offset
  push rsi
  push r9
  sub rsp, 8
  call qword ptr [rip + holdfast_vdso_originals]
  add rsp, 8
  pop r9
  pop rsi
  test eax, eax
  jnz 5f
  imul rax, [rsi], 1000000000
  add rax, [rsi + 8]
  add rax, [r9 + )" HOLDFAST_TEXT(HOLDFAST_CLOCK_FROM_READING_TO_OFFSET) R"(]
  jns 3b
  xor eax, eax
  jmp 3b
5:
  ret

# int gettimeofday(rdi: result or null, rsi: time zone or null)
  .balign 16
holdfast_vdso_time_of_day:
  test rdi, rdi
  jz 2f
  test rsi, rsi
  jz 1f
  mov qword ptr [rsi], 0
1:
  push rdi
  mov rsi, rdi
  xor edi, edi
  call holdfast_vdso_start
  pop rdi
  test eax, eax
  jnz 3f
  imul rcx, [rdi + 8], 274877907
  shr rcx, 38
  mov [rdi + 8], rcx
3:
  ret
2:
  jmp qword ptr [rip + holdfast_vdso_originals + 8]

# time_t time(rdi: result or null)
  .balign 16
holdfast_vdso_seconds:
  push rdi
  sub rsp, 16
  mov rsi, rsp
  xor edi, edi
  call holdfast_vdso_start
  mov rax, [rsp]
  add rsp, 16
  pop rdi
  test rdi, rdi
  jz 1f
  mov [rdi], rax
1:
  ret

# ssize_t getrandom(...): there is no such function, so the caller asks the kernel instead
  .balign 16
holdfast_vdso_refusal:
  mov rax, -38
  ret

  .balign 8
holdfast_vdso_originals:
  .quad 0, 0, 0
holdfast_vdso_end:
  .att_syntax prefix
  .popsection
)");

extern "C" {
extern const unsigned char holdfast_vdso_start[];
extern const unsigned char holdfast_vdso_time_of_day[];
extern const unsigned char holdfast_vdso_seconds[];
extern const unsigned char holdfast_vdso_refusal[];
extern const unsigned char holdfast_vdso_originals[];
extern const unsigned char holdfast_vdso_end[];
}

namespace holdfast {

VdsoCode vdso_code(const VdsoFunctions& originals) {
  const auto position = [](const unsigned char* label) {
    return reinterpret_cast<std::uint64_t>(label) - reinterpret_cast<std::uint64_t>(holdfast_vdso_start);
  };
  VdsoCode code{.bytes = {holdfast_vdso_start, holdfast_vdso_start + position(holdfast_vdso_end)},
                .replacements = {.clock_reader = 0,
                                 .time_of_day = position(holdfast_vdso_time_of_day),
                                 .seconds_of_epoch = position(holdfast_vdso_seconds)},
                .refusal = position(holdfast_vdso_refusal)};
  static_assert(sizeof(originals) == 3 * sizeof(std::uint64_t));  // in the order of the code's words
  std::memcpy(code.bytes.data() + position(holdfast_vdso_originals), &originals, sizeof(originals));
  return code;
}

}  // namespace holdfast

#else

namespace holdfast {

VdsoCode vdso_code(const VdsoFunctions&) {
  return {};
}

}  // namespace holdfast

#endif
