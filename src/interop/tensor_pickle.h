#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
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

// What a pickle may hold besides tensors: nothing else, or objects of any class as records of what was stored for them.
enum class PickledObjects { kRefused, kInert };

// Runs the pickle; see interop/torch_file.h. ModelFileError for anything that is not about tensors, or stays inert.
class TensorPickle {
 public:
  TensorPickle(std::string_view where, std::span<const std::byte> bytes, PickledObjects objects);

  std::vector<PickledTensor> tensors;

  // With inert objects, all else: dictionaries and objects with their attributes as objects of JSON, other sequences as
  // arrays, whatever has no meaning there, such as tensors and functions, as null.
  nlohmann::json settings;
};

}  // namespace dhyan
