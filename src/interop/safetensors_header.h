#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interop/safetensors.h"

namespace dhyan {

// The JSON header of a safetensors file as written, not yet checked.
struct StatedTensor {
  std::string name;
  std::string dtype;
  std::vector<std::uint64_t> shape;
  std::vector<std::uint64_t> data_offsets;  // begin and end, counted from the first byte after the header
};

struct StatedHeader {
  std::vector<StatedTensor> tensors;
  Metadata metadata;
};

// Throws ModelFileError unless the text has the form
//   {"__metadata__": {"key": "text", ...}, "name": {"dtype": "F32", "shape": [2,3], "data_offsets": [0,24]}, ...}
// with no key twice. Rank and depth of nesting are bounded while reading.
StatedHeader parse_safetensors_header(std::string_view where, std::string_view json);

// The header for tensors written one after the other, padded so that the values are aligned.
std::string format_safetensors_header(std::span<const TensorEntry> entries, const Metadata& metadata);

// An untrusted name for a message: quoted, control characters masked, cut if long.
std::string quoted_name(std::string_view name);

}  // namespace dhyan
