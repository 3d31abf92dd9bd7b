#include "translator/picture_files.h"

#include "core/error.h"
#include "translator/scene_pictures.h"
#include "vision/read_picture.h"

namespace dhyan {

void PictureFiles::read(TokenId number, std::span<std::byte> to) const {
  if (number < 0 || static_cast<std::size_t>(number) >= files_.size()) {
    throw UsageError(cat("picture files: number ", number, " of ", files_.size()));
  }
  const DecodeOptions options{.wanted_height = format_.size.height, .wanted_width = format_.size.width};
  copy_pixels(read_picture(files_[static_cast<std::size_t>(number)], options), format_, to);
}

}  // namespace dhyan
