#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "interop/safetensors.h"

namespace dhyan {

// NumPy's archives of arrays: a zip whose files NAME.npy hold one array each. Untrusted: arrays are numbers only, and
// their lengths are checked. ModelFileError for a damaged file, and for objects, other byte orders and Fortran's order.
class NpzFile {
 public:
  // The bytes must outlive it; `where` is the file's name, for messages.
  NpzFile(std::string_view where, std::span<const std::byte> bytes);

  const std::vector<TensorEntry>& arrays() const { return arrays_; }

 private:
  std::vector<TensorEntry> arrays_;
  std::vector<std::vector<std::byte>> unpacked_;  // contents that were compressed
};

// One array, NAME.npy, as a tensor of this name.
TensorEntry parse_npy(std::string_view where, std::string_view name, std::span<const std::byte> bytes);

}  // namespace dhyan
