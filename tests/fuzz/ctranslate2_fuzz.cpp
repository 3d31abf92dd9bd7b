// libFuzzer: a CTranslate2 file throws ModelFileError, or its variables lie in the file and do not overlap.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "interop/ctranslate2_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  try {
    const auto file = parse_ctranslate2("fuzz", std::as_bytes(std::span(data, size)));
    std::size_t read = 0;
    for (const TensorEntry& entry : file.variables) read += entry.bytes.size();
    if (read > size) std::abort();
  } catch (const ModelFileError&) {
  }
  return 0;
}
