#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "phrasebook/picturebook.h"
#include "vision/read_picture.h"

namespace dhyan {

// A picture that a user names: a file, its bytes, or a scene of the picture book drawn to order.
struct NamedPicture {
  std::string name;  // for people
  std::filesystem::path file = {};
  std::optional<picturebook::Scene> scene = {};  // instead of a file
  std::string bytes = {};                        // of a file, instead of its path
};

inline NamedPicture picture_file(const std::string& file) { return {.name = file, .file = file}; }

// UsageError for a description that the picture book cannot draw.
NamedPicture picture_of_scene(const std::string& description);

// PictureError or IoError, which name the file or the picture, if it cannot be decoded.
Picture load_picture(const NamedPicture& picture, const DecodeOptions& options = {});

// The picture for display, with a longest side of at most 1024 pixels.
Picture picture_to_show(const NamedPicture& picture);

}  // namespace dhyan
