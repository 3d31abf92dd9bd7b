#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/pairs.h"
#include "text/corpus_part.h"

namespace dhyan {

// Captions of pictures are lines of a TSV file: the picture's name, a tab, a caption. Several lines with one name are
// several captions of that picture. A header line may name the columns instead, in any order: image, caption and, if
// the file has its own split, split, with the values train, dev (or val, valid, validation) and test; other columns are
// passed over.

// One pass over the captions of a file: the picture's name is the source, the caption the target. Of a file with a
// split, the part that is given alone. DataError, with file and line, for a line without the columns.
std::unique_ptr<PairSource> open_captions(const std::string& file, Part part, const ReadOptions& options = {});

// Whether the header of a file names a column "split".
bool has_split(const std::string& file, const ReadOptions& options = {});

// A picture and all its captions.
struct CaptionedPicture {
  std::string name;
  std::vector<std::string> captions;
};

// The pictures in the order of their first lines.
std::vector<CaptionedPicture> read_captions(const std::string& file, Part part, const ReadOptions& options = {});

}  // namespace dhyan
