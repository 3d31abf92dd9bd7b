#pragma once

#include <filesystem>
#include <vector>

#include "data/picture_source.h"

namespace dhyan {

// Picture files, decoded when they are read. read() throws PictureError or IoError, which name the file.
class PictureFiles final : public PictureSource {
 public:
  PictureFiles(std::vector<std::filesystem::path> files, GridShape size)
      : files_(std::move(files)), format_{.size = size} {}

  PictureFormat format() const override { return format_; }
  void read(TokenId number, std::span<std::byte> to) const override;

  const std::vector<std::filesystem::path>& files() const { return files_; }

 private:
  std::vector<std::filesystem::path> files_;
  PictureFormat format_;
};

}  // namespace dhyan
