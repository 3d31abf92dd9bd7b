#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/file.h"
#include "interop/zip.h"

namespace dhyan {

// The files of a model of another toolkit: of a folder or of a zip archive. Of a single file, those of its folder;
// main() is the one that was named. Names are relative, with '/'. Contents stay valid as long as this object and its
// copies.
class SourceFiles {
 public:
  // IoError if the path cannot be read, ModelFileError for a damaged archive.
  explicit SourceFiles(const std::filesystem::path& path);

  bool is_folder() const;
  const std::string& main() const;  // empty for a folder or an archive
  bool has(std::string_view name) const;
  std::vector<std::string> names() const;  // ascending; of a folder, those of three levels, of a file two

  // ModelFileError if there is none of this name.
  std::span<const std::byte> bytes(std::string_view name) const;
  std::string_view text(std::string_view name) const;

  std::string where(std::string_view name) const;  // for messages
  const std::filesystem::path& path() const;

  // The files whose names begin with `folder` and '/', without that.
  SourceFiles below(std::string_view folder) const;

 private:
  struct Opened;
  std::string full(std::string_view name) const;

  std::shared_ptr<Opened> opened_;
  std::string prefix_;
};

}  // namespace dhyan
