#pragma once

#include "translator/named_picture.h"
#include "translator/translator.h"

namespace dhyan {

// Pictures are decoded and captioned in windows. The first is small, so that output appears soon; each next one is
// twice as large, up to the largest.
struct CaptionStreamOptions {
  TranslationOptions translation = {};  // first_line is set while reading
  Workers workers = {};
  Index first_window = 64;  // pictures
  Index largest_window = 1024;
  std::size_t largest_bytes = std::size_t{128} << 20;  // of decoded pictures in a window; at least one picture
};

struct CaptionedResult {
  NamedPicture picture;
  std::vector<Translation> n_best = {};
  std::string failure = {};  // why the picture could not be decoded; it names the file; there are no captions then
};

// Captions all pictures and calls `give` once for each window, in order. `take` gives up to `most` pictures that are
// available, and none at the end. A caption depends neither on the other pictures nor on the number of threads.
void caption_stream(const Translator& translator, const std::function<std::vector<NamedPicture>(Index most)>& take,
                    const CaptionStreamOptions& options,
                    const std::function<void(const std::vector<CaptionedResult>& window)>& give);

}  // namespace dhyan
