#include "interop/safetensors.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "core/error.h"
#include "interop/checksum.h"
#include "interop/safetensors_header.h"

namespace dhyan {

namespace {

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;  // the reference implementation's limit

// Dtype, shape and offsets must agree, and the bytes must lie within the file.
TensorEntry checked(std::string_view where, StatedTensor& stated, std::span<const std::byte> data) {
  const auto fail = [&](const std::string& what) {
    throw ModelFileError(cat(where, ": tensor ", quoted_name(stated.name), ": ", what));
  };
  TensorEntry entry;
  entry.dtype = find_file_dtype(stated.dtype);
  if (entry.dtype == nullptr)
    fail(cat("dtype is ", quoted_name(stated.dtype), ", expected one of ", file_dtype_names()));

  const auto element = static_cast<std::uint64_t>(entry.dtype->bytes);
  std::uint64_t bytes = element;
  std::array<Index, Shape::kMaxRank> extents{};
  for (std::size_t axis = 0; axis < stated.shape.size(); ++axis) {
    const std::uint64_t extent = stated.shape[axis];
    if (extent > 0 && bytes > std::numeric_limits<Index>::max() / extent) {
      fail(cat("its size overflows 64 bits at extent ", extent, " of axis ", axis));
    }
    if (extent > std::numeric_limits<Index>::max()) fail(cat("extent ", extent, " of axis ", axis, " overflows"));
    bytes *= extent;
    extents[axis] = static_cast<Index>(extent);
  }
  entry.shape = Shape(std::span<const Index>(extents.data(), stated.shape.size()));

  const std::uint64_t begin = stated.data_offsets[0], end = stated.data_offsets[1];
  if (begin > end) fail(cat("data_offsets are [", begin, ",", end, "]; the end is before the begin"));
  if (end > data.size())
    fail(cat("data_offsets are [", begin, ",", end, "], but the file has ", data.size(), " bytes"));
  if (end - begin != bytes) {
    fail(cat("data_offsets are [", begin, ",", end, "], ", end - begin, " bytes, but ", entry.shape, " of ",
             entry.dtype->name, " takes ", bytes));
  }
  entry.bytes = data.subspan(begin, end - begin);
  entry.name = std::move(stated.name);
  return entry;
}

// Sorted entries must cover the data exactly: no byte belongs to two tensors, or to none.
void expect_no_overlap_and_no_hole(std::string_view where, std::span<const TensorEntry> entries,
                                   std::span<const std::byte> data) {
  const std::byte* end = data.data();
  for (const TensorEntry& entry : entries) {
    if (entry.bytes.data() != end) {
      throw ModelFileError(cat(where, ": tensor ", quoted_name(entry.name), ": begins at byte ",
                               entry.bytes.data() - data.data(), ", but the tensor before it ends at ",
                               end - data.data(), entry.bytes.data() < end ? "; they overlap" : "; there is a hole"));
    }
    end += entry.bytes.size();
  }
  if (end != data.data() + data.size()) {
    throw ModelFileError(
        cat(where, ": the tensors take ", end - data.data(), " bytes, but the file has ", data.size()));
  }
}

}  // namespace

SafetensorsDirectory parse_safetensors(std::string_view where, std::span<const std::byte> bytes) {
  if (bytes.size() < kLengthBytes) {
    throw ModelFileError(cat(where, ": the file has ", bytes.size(), " bytes, expected at least ", kLengthBytes));
  }
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  const std::span<const std::byte> rest = bytes.subspan(kLengthBytes);
  if (length > kLongestHeader) {
    throw ModelFileError(cat(where, ": the header's length is ", length, ", expected at most ", kLongestHeader));
  }
  if (length > rest.size()) {
    throw ModelFileError(cat(where, ": the header's length is ", length, ", but only ", rest.size(), " bytes follow"));
  }
  const std::string_view text(reinterpret_cast<const char*>(rest.data()), length);
  StatedHeader header = parse_safetensors_header(where, text);

  const std::span<const std::byte> data = rest.subspan(length);
  SafetensorsDirectory directory;
  directory.metadata = std::move(header.metadata);
  directory.header = text;
  directory.data = data;
  directory.entries.reserve(header.tensors.size());
  for (StatedTensor& stated : header.tensors) directory.entries.push_back(checked(where, stated, data));
  // If several tensors begin at one byte, all but the last are empty.
  std::ranges::stable_sort(directory.entries, {},
                           [](const TensorEntry& entry) { return std::pair(entry.bytes.data(), entry.bytes.size()); });
  expect_no_overlap_and_no_hole(where, directory.entries, data);
  return directory;
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path)
    : where_(path.string()),
      file_(std::make_shared<MappedFile>(path, MappedFile::Access::kCopyOnWrite)),
      directory_(parse_safetensors(where_, file_->bytes())) {}

const TensorEntry* SafetensorsFile::find(std::string_view name) const {
  const auto found = std::ranges::find(directory_.entries, name, &TensorEntry::name);
  return found == directory_.entries.end() ? nullptr : &*found;
}

void SafetensorsFile::expect_readable(const TensorEntry& entry) const {
  if (entry.dtype->to_real != nullptr) return;
  throw ModelFileError(
      cat(where_, ": tensor ", quoted_name(entry.name), ": dtype is ", entry.dtype->name, ", expected floating point"));
}

void SafetensorsFile::read(const TensorEntry& entry, std::span<Real> to) const {
  expect_readable(entry);
  if (std::ssize(to) != entry.shape.size()) {
    throw ShapeError(
        cat("SafetensorsFile::read: ", to.size(), " values for ", quoted_name(entry.name), " ", entry.shape));
  }
  entry.dtype->to_real(entry.bytes.data(), to.data(), entry.shape.size());
  file_->release_pages(entry.bytes);  // or memory would hold all weights twice
}

Tensor SafetensorsFile::read(const TensorEntry& entry) const {
  expect_readable(entry);
  const Tensor tensor = Tensor::uninitialized(entry.shape);
  read(entry, tensor.span());
  return tensor;
}

Tensor SafetensorsFile::share(const TensorEntry& entry) const {
  const bool aligned = reinterpret_cast<std::uintptr_t>(entry.bytes.data()) % alignof(Real) == 0;
  if (entry.dtype != &file_dtype(Dtype::kReal) || !aligned || entry.bytes.empty()) return read(entry);
  auto* numbers = reinterpret_cast<Real*>(const_cast<std::byte*>(entry.bytes.data()));
  return Tensor::part_of(file_, entry.shape, numbers);
}

void save_entries(const std::filesystem::path& path, std::span<const TensorEntry> entries, const Metadata& metadata) {
  std::string header = format_safetensors_header(entries, with_place_for_checksum(metadata));
  put_checksum(header, entries);
  const std::uint64_t length = header.size();
  AtomicFile file(path);
  file.write(std::as_bytes(std::span(&length, 1)));
  file.write(header);
  for (const TensorEntry& entry : entries) file.write(entry.bytes);
  file.commit();
}

TensorEntry entry_of(const std::string& name, const Tensor& value) {
  return {name, &file_dtype(value.dtype()), value.shape(), std::as_bytes(value.span())};
}

void save_tensors(const std::filesystem::path& path, std::span<const NamedTensor> tensors, const Metadata& metadata) {
  std::vector<TensorEntry> entries;
  for (const NamedTensor& tensor : tensors) entries.push_back(entry_of(tensor.name, tensor.value));
  save_entries(path, entries, metadata);
}

}  // namespace dhyan
