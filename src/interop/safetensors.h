#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/file.h"
#include "core/tensor.h"
#include "interop/file_dtype.h"

namespace dhyan {

// Weights on disk: the length of a JSON header in 8 bytes, little-endian; the header; the values, row-major,
// little-endian, one tensor after the other. https://huggingface.co/docs/safetensors
// A file is untrusted: every length is checked against the size of the file before it is used, and no
// length in it decides an allocation. A file that fails a check gives a ModelFileError.

struct TensorEntry {
  std::string name;
  const FileDtype* dtype = nullptr;
  Shape shape;
  std::span<const std::byte> bytes;  // of a file; not aligned
};

using Metadata = std::map<std::string, std::string>;

struct SafetensorsDirectory {
  std::vector<TensorEntry> entries;  // in the order of their bytes
  Metadata metadata;
  std::string_view header;          // the JSON text, in the file
  std::span<const std::byte> data;  // the bytes of all tensors, in the file
};

// The directory of a file in memory, with every entry checked. Entries point into `bytes`; `where` is the file's name,
// for messages.
SafetensorsDirectory parse_safetensors(std::string_view where, std::span<const std::byte> bytes);

// A file, open and checked.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(const std::filesystem::path& path);  // reads the header only

  const std::string& name() const { return where_; }
  const std::vector<TensorEntry>& entries() const { return directory_.entries; }
  const Metadata& metadata() const { return directory_.metadata; }
  const TensorEntry* find(std::string_view name) const;  // null if there is none
  std::string_view header() const { return directory_.header; }
  std::span<const std::byte> data() const { return directory_.data; }

  // The values of an entry of this file as Reals. The first throws ModelFileError if they are integers.
  void expect_readable(const TensorEntry& entry) const;
  void read(const TensorEntry& entry, std::span<Real> to) const;  // `to` has the size of the entry's shape
  Tensor read(const TensorEntry& entry) const;                    // owned

  // Without a copy if the file holds Reals: the tensor is part of the mapped file and keeps it open. Writing to it does
  // not change the file.
  Tensor share(const TensorEntry& entry) const;

  // Callers check after reading and before using the values, and again whenever they use shared ones (MappedFile).
  void expect_unchanged() const { file_->expect_unchanged(); }
  std::shared_ptr<const MappedFile> shared_file() const { return file_.use_count() > 1 ? file_ : nullptr; }

 private:
  std::string where_;
  std::shared_ptr<MappedFile> file_;
  SafetensorsDirectory directory_;
};

// Writes the file whole or not at all, tensors in the order given, with a checksum in the metadata
// (interop/checksum.h).
void save_entries(const std::filesystem::path& path, std::span<const TensorEntry> entries,
                  const Metadata& metadata = {});

// The entry of a float tensor, F32 or F64 as Real is; it shares the tensor's bytes.
TensorEntry entry_of(const std::string& name, const Tensor& value);

struct NamedTensor {
  std::string name;
  Tensor value;
};
void save_tensors(const std::filesystem::path& path, std::span<const NamedTensor> tensors,
                  const Metadata& metadata = {});

}  // namespace dhyan
