#include "interop/marian_bin.h"

#include <cmath>

#include "core/error.h"
#include "interop/byte_reader.h"
#include "interop/safetensors_header.h"

namespace dhyan {

namespace {

constexpr std::uint64_t kVersion = 1, kFloat32 = 0x404, kInt8 = 0x101, kIntgemm8 = 0x4101, kMostInFile = 1 << 20;

struct Header {
  std::uint64_t name = 0, type = 0, shape = 0, data = 0;  // lengths, but for the type
};

Shape read_shape(ByteReader& in, const std::string& name, std::uint64_t rank) {
  if (rank > Shape::kMaxRank) in.fail(cat("tensor ", quoted_name(name), " has rank ", rank, ", expected 0 to 4"));
  std::vector<Index> extents;
  for (std::uint64_t axis = 0; axis < rank; ++axis) extents.push_back(in.number<std::int32_t>());
  try {
    return Shape(extents);
  } catch (const ShapeError& error) {
    in.fail(cat("tensor ", quoted_name(name), ": ", error.what()));
  }
}

const FileDtype* dtype_of(ByteReader& in, const std::string& name, std::uint64_t type) {
  if (type == kFloat32) return find_file_dtype("F32");
  if (type == kInt8 || type == kIntgemm8) return find_file_dtype("I8");
  in.fail(cat("tensor ", quoted_name(name), " is of the type ", type, ", expected float32, int8 or intgemm8"));
}

}  // namespace

bool is_marian_bin(std::span<const std::byte> bytes) {
  if (bytes.size() < 16) return false;
  ByteReader in("", bytes);
  if (in.number<std::uint64_t>() != kVersion) return false;
  const auto tensors = in.number<std::uint64_t>();
  return tensors > 0 && tensors <= kMostInFile && tensors <= bytes.size() / sizeof(Header);
}

MarianBinFile parse_marian_bin(std::string_view where, std::span<const std::byte> bytes) {
  ByteReader in(where, bytes);
  if (const auto version = in.number<std::uint64_t>(); version != kVersion) {
    in.fail(cat("is of version ", version, ", expected ", kVersion));
  }
  const auto count = in.number<std::uint64_t>();
  if (count > in.left() / sizeof(Header)) in.fail(cat("states ", count, " tensors, more than it has bytes for"));
  std::vector<Header> headers(static_cast<std::size_t>(count));
  for (Header& header : headers) {
    header.name = in.number<std::uint64_t>();
    header.type = in.number<std::uint64_t>();
    header.shape = in.number<std::uint64_t>();
    header.data = in.number<std::uint64_t>();
  }
  MarianBinFile file;
  for (const Header& header : headers) {
    std::string_view name = in.text(header.name);
    if (!name.empty() && name.back() == '\0') name.remove_suffix(1);
    file.tensors.emplace_back().name = name;
  }
  for (std::size_t i = 0; i < headers.size(); ++i) {
    file.tensors[i].shape = read_shape(in, file.tensors[i].name, headers[i].shape);
  }
  in.take(in.number<std::uint64_t>());  // up to the alignment of the first tensor
  for (std::size_t i = 0; i < headers.size(); ++i) {
    TensorEntry& tensor = file.tensors[i];
    tensor.dtype = dtype_of(in, tensor.name, headers[i].type);
    ByteReader data(where, in.take(headers[i].data));
    const auto values =
        static_cast<std::uint64_t>(tensor.shape.size()) * static_cast<std::uint64_t>(tensor.dtype->bytes);
    tensor.bytes = data.take(values);
    if (headers[i].type != kIntgemm8) continue;
    const auto factor = data.number<float>();
    if (!(std::isfinite(factor) && factor > 0)) {
      in.fail(cat("tensor ", quoted_name(tensor.name), " is quantized by ", factor, ", expected more than 0"));
    }
    file.factors.push_back({tensor.name, factor});
  }
  return file;
}

}  // namespace dhyan
