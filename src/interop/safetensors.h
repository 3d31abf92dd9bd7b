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

// Weights on disk: the length of a JSON header in 8 bytes, little-endian; the header; the numbers, row-major,
// little-endian, one tensor after the other. https://huggingface.co/docs/safetensors
// A file is untrusted: every length is checked against the size of the file before it is used, and nothing is
// allocated because a file asks for it. A file that fails a check gives a ModelFileError.

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
  std::string_view header;          // the text that says all this; of the file, as are
  std::span<const std::byte> data;  // the numbers
};

// The directory of a file that is in memory, every entry checked. Entries look into `bytes`; `where` is the file's
// name, for messages.
SafetensorsDirectory parse_safetensors(std::string_view where, std::span<const std::byte> bytes);

// A file, open and checked.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(const std::filesystem::path& path);  // nothing of it is read yet

  const std::string& name() const { return where_; }
  const std::vector<TensorEntry>& entries() const { return directory_.entries; }
  const Metadata& metadata() const { return directory_.metadata; }
  const TensorEntry* find(std::string_view name) const;  // null if there is none
  std::string_view header() const { return directory_.header; }
  std::span<const std::byte> data() const { return directory_.data; }

  // The numbers of an entry of this file as Reals. The first throws ModelFileError if they are integers.
  void expect_readable(const TensorEntry& entry) const;
  void read(const TensorEntry& entry, std::span<Real> to) const;  // `to` holds as many as the entry's shape
  Tensor read(const TensorEntry& entry) const;                    // owned

  // The same without a copy where the file holds Reals: the tensor is part of the file and keeps it open. Writing to it
  // changes the tensor and not the file.
  Tensor share(const TensorEntry& entry) const;

  // Whoever has read from the file asks before using it, and whoever shares it goes on asking (MappedFile).
  void expect_unchanged() const { file_->expect_unchanged(); }
  std::shared_ptr<const MappedFile> shared_file() const { return file_.use_count() > 1 ? file_ : nullptr; }

 private:
  std::string where_;
  std::shared_ptr<MappedFile> file_;
  SafetensorsDirectory directory_;
};

// Written whole or not at all, one after the other in the order given, with a checksum in the metadata
// (interop/checksum.h).
void save_entries(const std::filesystem::path& path, std::span<const TensorEntry> entries,
                  const Metadata& metadata = {});

// What is written of a tensor: F32 where Real is float and F64 where it is double. Its bytes are the tensor's.
TensorEntry entry_of(const std::string& name, const Tensor& value);

struct NamedTensor {
  std::string name;
  Tensor value;
};
void save_tensors(const std::filesystem::path& path, std::span<const NamedTensor> tensors,
                  const Metadata& metadata = {});

}  // namespace dhyan
