// libFuzzer: a safetensors file throws ModelFileError or can be read completely.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "core/error.h"
#include "interop/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  try {
    const auto directory = parse_safetensors("fuzz", std::as_bytes(std::span(data, size)));
    std::size_t read = 0;
    for (const TensorEntry& entry : directory.entries) {
      read += entry.bytes.size();
      if (entry.dtype->to_real == nullptr) continue;
      std::vector<Real> values(static_cast<std::size_t>(entry.shape.size()));
      entry.dtype->to_real(entry.bytes.data(), values.data(), entry.shape.size());
    }
    if (read > size) std::abort();  // two tensors overlap
  } catch (const ModelFileError&) {
  }
  return 0;
}
