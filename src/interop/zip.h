#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dhyan {

// The files of a zip archive in memory, by the entries of its central directory: stored or deflated, also zip64.
// Untrusted. ModelFileError for a damaged archive, for an encrypted file, for a name that leads out of the archive
// ("../x", "/x"), and for files that would take up more memory than an archive of models needs: together more than 100
// times the size of the archive and 64 MiB.
class ZipArchive {
 public:
  struct Entry {
    std::uint64_t packed = 0, size = 0;  // bytes
    std::uint64_t begin = 0;             // of the local header
    std::uint32_t checksum = 0;          // CRC-32 of the content
    bool deflated = false;
  };

  // `where` is the archive's name, for messages. The bytes must outlive it.
  ZipArchive(std::string_view where, std::span<const std::byte> bytes);

  const std::map<std::string, Entry, std::less<>>& entries() const { return entries_; }

  // The content of a file, checked against its CRC-32. A stored one is part of the archive; `storage` holds a deflated
  // one.
  std::span<const std::byte> content(std::string_view name, std::vector<std::byte>& storage) const;

 private:
  [[noreturn]] void fail(const std::string& what) const;

  std::string where_;
  std::span<const std::byte> bytes_;
  std::map<std::string, Entry, std::less<>> entries_;
};

bool is_zip(std::span<const std::byte> bytes);

}  // namespace dhyan
