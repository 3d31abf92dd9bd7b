// libFuzzer: a vocabulary of Marian throws ModelFileError, or has tokens.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "interop/marian_vocabulary.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  try {
    if (parse_marian_vocabulary("fuzz", std::string_view(reinterpret_cast<const char*>(data), size)).empty())
      std::abort();
  } catch (const ModelFileError&) {
  }
  return 0;
}
