#include "harness/fuzz/history_target.h"
#include "harness/fuzz/targets.h"

namespace holdfast::fuzz {

void try_edn(std::string_view bytes) {
  try_history(bytes, HistoryFormat::edn);
}

}  // namespace holdfast::fuzz

#ifdef HOLDFAST_LIBFUZZER
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  holdfast::fuzz::try_edn({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
#endif
