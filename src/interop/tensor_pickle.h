#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dhyan {

// A tensor as a pickle of PyTorch describes it, not yet checked against its storage.
struct PickledTensor {
  std::string name;           // keys of dictionaries, joined by '.'
  std::string storage;        // name of the storage's file
  std::string type;           // "FloatStorage"
  std::int64_t elements = 0;  // of the storage
  std::int64_t offset = 0;    // elements before the first one
  std::vector<std::int64_t> extents, strides;
};

// Runs the pickle; see interop/torch_file.h. ModelFileError for anything that is not about tensors.
std::vector<PickledTensor> parse_tensor_pickle(std::string_view where, std::span<const std::byte> bytes);

}  // namespace dhyan
