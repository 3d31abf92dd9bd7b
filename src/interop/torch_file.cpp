#include "interop/torch_file.h"

#include <array>
#include <map>

#include "core/error.h"
#include "interop/safetensors_header.h"
#include "interop/zip.h"

namespace dhyan {

namespace {

const FileDtype* dtype_of_storage(std::string_view type) {
  struct Name {
    std::string_view torch, ours;
  };
  constexpr std::array kNames{Name{"torch FloatStorage", "F32"}, Name{"torch DoubleStorage", "F64"},
                              Name{"torch HalfStorage", "F16"},  Name{"torch BFloat16Storage", "BF16"},
                              Name{"torch LongStorage", "I64"},  Name{"torch IntStorage", "I32"},
                              Name{"torch ShortStorage", "I16"}, Name{"torch CharStorage", "I8"},
                              Name{"torch ByteStorage", "U8"},   Name{"torch BoolStorage", "BOOL"}};
  for (const Name& name : kNames) {
    if (name.torch == type) return find_file_dtype(name.ours);
  }
  return nullptr;
}

// Row by row, without gaps.
bool is_contiguous(const PickledTensor& tensor, const Shape& shape) {
  Index step = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    if (shape[axis] != 1 && tensor.strides[static_cast<std::size_t>(axis)] != step) return false;
    step *= shape[axis];
  }
  return true;
}

TensorEntry entry_of_tensor(std::string_view where, const PickledTensor& tensor, std::span<const std::byte> storage) {
  const auto fail = [&](const std::string& what) {
    throw ModelFileError(cat(where, ": tensor ", quoted_name(tensor.name), ": ", what));
  };
  TensorEntry entry;
  entry.name = tensor.name;
  entry.dtype = dtype_of_storage(tensor.type);
  if (entry.dtype == nullptr) fail(cat("its storage is ", quoted_name(tensor.type)));
  if (tensor.extents.size() > Shape::kMaxRank || tensor.strides.size() != tensor.extents.size()) {
    fail("has no shape of at most 4 extents");
  }
  try {
    entry.shape = Shape(std::vector<Index>(tensor.extents.begin(), tensor.extents.end()));
  } catch (const ShapeError& error) {
    fail(error.what());
  }
  if (!is_contiguous(tensor, entry.shape)) fail("is not stored row by row");
  const Index all = std::ssize(storage) / entry.dtype->bytes;
  if (tensor.offset < 0 || tensor.offset > all || entry.shape.size() > all - tensor.offset) {
    fail(cat("lies beyond its storage of ", all, " elements"));
  }
  entry.bytes = storage.subspan(static_cast<std::size_t>(tensor.offset * entry.dtype->bytes),
                                static_cast<std::size_t>(entry.shape.size() * entry.dtype->bytes));
  return entry;
}

constexpr std::string_view kPickle = "data.pkl";

std::string folder_of_pickle(const ZipArchive& archive) {
  std::string folder;
  for (const auto& [name, entry] : archive.entries()) {
    if (name.ends_with(kPickle)) folder = name.substr(0, name.size() - kPickle.size());
  }
  return folder;
}

}  // namespace

bool TorchFile::mentions(std::string_view where, std::span<const std::byte> bytes, std::string_view text) {
  if (!is_zip(bytes)) return false;
  const ZipArchive archive(where, bytes);
  const std::string name = cat(folder_of_pickle(archive), kPickle);
  if (!archive.entries().contains(name)) return false;
  std::vector<std::byte> storage;
  const std::span<const std::byte> pickle = archive.content(name, storage);
  return std::string_view(reinterpret_cast<const char*>(pickle.data()), pickle.size()).find(text) != text.npos;
}

TorchFile::TorchFile(std::string_view where, std::span<const std::byte> bytes, PickledObjects objects) {
  if (!is_zip(bytes)) {
    throw ModelFileError(cat(where, ": is no zip archive; it was saved before PyTorch 1.6 or is damaged"));
  }
  const ZipArchive archive(where, bytes);
  const std::string folder = folder_of_pickle(archive);
  std::vector<std::byte> pickle;
  TensorPickle read(where, archive.content(cat(folder, kPickle), pickle), objects);
  settings_ = std::move(read.settings);
  std::map<std::string, std::span<const std::byte>> storages;
  unpacked_.reserve(archive.entries().size());
  for (const PickledTensor& tensor : read.tensors) {
    const auto [found, is_new] = storages.try_emplace(tensor.storage);
    if (is_new) {
      std::vector<std::byte> storage;
      found->second = archive.content(cat(folder, "data/", tensor.storage), storage);
      if (!storage.empty()) found->second = unpacked_.emplace_back(std::move(storage));
    }
    tensors_.push_back(entry_of_tensor(where, tensor, found->second));
  }
}

}  // namespace dhyan
