#pragma once

#include "explain/explanation.h"
#include "explain/picture_maps.h"
#include "translator/named_picture.h"
#include "translator/translator.h"

namespace dhyan {

// What wrote a caption.
struct CaptionWriter {
  const TokenizerPair& tokenizers;
  GridShape grid;  // of its annotations
  bool attends = true;

  static CaptionWriter of(const Translator& translator) {
    return {translator.tokenizers(), translator.model().pictures().grid, translator.model().has_cross_attention()};
  }
};

// The attention of a caption over its picture.
PictureMaps picture_maps_of(const NamedPicture& picture, const Translation& caption, const CaptionWriter& writer,
                            const ExplainOptions& options);

}  // namespace dhyan
