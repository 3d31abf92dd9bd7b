#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"

namespace dhyan {

// A signal interrupted open() while a pipe had no reader.
class OpenInterrupted : public WriteError {
  using WriteError::WriteError;
};

// Writes a file atomically: to a temporary name in the same folder, fsync, rename, fsync of the folder. Without
// commit(), or after a failure, the temporary file is removed and an older file stays. The new file gets the owner and
// permissions of the one it replaces; a symbolic link stays, and its target is replaced or created. Devices, pipes and
// open descriptors such as /dev/stdout cannot be replaced and are written in place (core/write_target.h).
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

  std::filesystem::path path_;    // as given, for messages
  std::filesystem::path target_;  // path_ with symbolic links resolved
  std::string temporary_;         // empty: written to in place
  int descriptor_ = -1;
};

void write_file(const std::filesystem::path& path, std::string_view text);  // as an AtomicFile

// Whether this is the name of an AtomicFile's temporary file.
bool is_temporary_name(std::string_view name);

// Removes the temporary files that processes which no longer run have left in a folder.
void remove_leftovers(const std::filesystem::path& folder);

// A memory-mapped file; the kernel reads pages on first access. Writes never reach the file: with kCopyOnWrite they go
// to private copies of the pages.
class MappedFile {
 public:
  enum class Access { kRead, kCopyOnWrite };

  explicit MappedFile(const std::filesystem::path& path, Access access = Access::kRead);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return bytes_; }

  // Frees the physical memory of these bytes until they are read again; private copies in them are lost.
  void release_pages(std::span<const std::byte> part) const;

  // Throws IoError, naming the file, if it was written to since it was mapped, or if a read failed: bytes() may then
  // hold other content, or zeros (core/bus_error.h). Call it after reading and before using the results; costs a system
  // call. A file that was replaced by rename, or removed, counts as unchanged.
  void expect_unchanged() const;

 private:
  struct Origin;

  std::span<const std::byte> bytes_;
  std::unique_ptr<Origin> origin_;  // null: moved from
};

}  // namespace dhyan
