#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace dhyan {

// A file that appears under its name whole or not at all: written beside it under a temporary name, synced, renamed,
// and the folder synced. Without commit(), or after a failure, nothing of it remains and an older file stays. What
// cannot be replaced, a device or a pipe, is written to as it is.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  void commit();

 private:
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path path_;
  std::string temporary_;  // empty: written to in place
  int descriptor_ = -1;
};

void write_file(const std::filesystem::path& path, std::string_view text);  // as an AtomicFile

// Removes the temporary files of a folder that AtomicFiles of processes which are gone have left in it.
void remove_leftovers(const std::filesystem::path& folder);

// The bytes of a file, mapped; the operating system reads them when they are looked at. Nothing written to them reaches
// the file: who may write, writes to a copy of the page.
class MappedFile {
 public:
  enum class Access { kRead, kWriteToACopy };

  explicit MappedFile(const std::filesystem::path& path, Access access = Access::kRead);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return bytes_; }

  // This part of the bytes, to which nothing was written, takes no memory until it is looked at again.
  void let_go(std::span<const std::byte> part) const;

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace dhyan
