// libFuzzer: weights of PyTorch, and a pickle alone, throw ModelFileError, or tensors have as many bytes as they state.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "interop/tensor_pickle.h"
#include "interop/torch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  const auto bytes = std::as_bytes(std::span(data, size));
  for (const PickledObjects objects : {PickledObjects::kRefused, PickledObjects::kInert}) {
    try {
      const TensorPickle pickle("fuzz", bytes, objects);
    } catch (const ModelFileError&) {
    }
  }
  try {
    const TorchFile file("fuzz", bytes, PickledObjects::kInert);
    for (const TensorEntry& tensor : file.tensors()) {
      if (std::ssize(tensor.bytes) != tensor.shape.size() * tensor.dtype->bytes) std::abort();
    }
  } catch (const ModelFileError&) {
  }
  return 0;
}
