#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/lines.h"
#include "translator/named_picture.h"

namespace dhyan::cli {

// Pictures as a command line names them.
struct PictureArguments {
  std::vector<std::string> pictures;  // files, folders, and - for a list of files on standard input
  std::vector<std::string> scenes;    // of the picture book, drawn to order
};

// The pictures in the order in which they are named; scenes come last. A folder stands for its pictures in the order of
// their names.
class PictureList {
 public:
  // Standard input is read if nothing is named. UsageError if that is a terminal, or for a scene that cannot be drawn;
  // DataError for a folder without pictures.
  explicit PictureList(const PictureArguments& arguments);

  // Up to `most` pictures, fewer if the next name does not come at once; none at the end.
  std::vector<NamedPicture> take(Index most);

  bool several() const { return several_; }    // anything but one file or one scene is named
  std::optional<std::uint64_t> count() const;  // nothing if standard input is among them

 private:
  bool next(NamedPicture& picture);
  bool is_ready();

  std::vector<NamedPicture> pictures_;
  std::optional<std::size_t> list_at_;  // pictures of standard input come before this one
  std::unique_ptr<LineReader> list_;    // open while it is read
  std::size_t next_ = 0;
  bool several_ = false;
};

}  // namespace dhyan::cli
