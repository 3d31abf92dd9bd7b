// libFuzzer: a .bin of Marian throws ModelFileError, or its tensors have as many bytes as they state.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "interop/marian_bin.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  try {
    const auto file = parse_marian_bin("fuzz", std::as_bytes(std::span(data, size)));
    for (const TensorEntry& tensor : file.tensors) {
      if (std::ssize(tensor.bytes) != tensor.shape.size() * tensor.dtype->bytes) std::abort();
    }
  } catch (const ModelFileError&) {
  }
  return 0;
}
