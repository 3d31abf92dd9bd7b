#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"

namespace dhyan {

// A signal came while a pipe was waiting for its reader to open it.
class OpenInterrupted : public WriteError {
  using WriteError::WriteError;
};

// A file that appears under its name whole or not at all: written beside it under a temporary name, synced, renamed,
// and the folder synced. Without commit(), or after a failure, nothing of it remains and an older file stays. The file
// keeps the owner and the permissions of the one it replaces; a symbolic link stays, and the file it leads to is
// replaced or created. What cannot be replaced, a device, a pipe or an open descriptor such as /dev/stdout, is written
// to in place (core/write_target.h).
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

  std::filesystem::path path_;    // as it was given, for messages
  std::filesystem::path target_;  // symbolic links followed
  std::string temporary_;         // empty: written to in place
  int descriptor_ = -1;
};

void write_file(const std::filesystem::path& path, std::string_view text);  // as an AtomicFile

// Whether a file of this name is one that an AtomicFile writes to before it is committed.
bool is_temporary_name(std::string_view name);

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

  // IoError, naming the file, if somebody has written to it since it was mapped, or if it could not be read: bytes()
  // may then be of another content, or zeros (core/bus_error.h). To be called after the bytes were used and before what
  // came of them is; costs a system call. A file that was replaced by rename, or removed, is unchanged.
  void expect_unchanged() const;

 private:
  struct Origin;

  std::span<const std::byte> bytes_;
  std::unique_ptr<Origin> origin_;  // null: moved from
};

}  // namespace dhyan
