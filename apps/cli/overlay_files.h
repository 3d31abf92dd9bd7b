#pragma once

#include <set>
#include <string>

#include "explain/picture_view.h"
#include "translator/named_picture.h"
#include "translator/translator.h"

namespace dhyan::cli {

// Files that show the attention of captions over their pictures: one file, or one for each picture in a folder.
class OverlayFiles {
 public:
  // A path with the extension of a format is a file, any other path a folder. `format` may be empty: that of the
  // extension, in a folder svg. UsageError for a file if there are several pictures, and for an unknown format.
  OverlayFiles(const std::string& path, const std::string& format, bool several);

  void write(const NamedPicture& picture, const Translation& caption, const Translator& translator);

 private:
  std::filesystem::path next_file(const NamedPicture& picture);

  std::filesystem::path path_;
  bool folder_ = false;
  const PictureViewFormat* format_ = nullptr;
  std::set<std::string> used_;  // names of files in the folder
};

}  // namespace dhyan::cli
