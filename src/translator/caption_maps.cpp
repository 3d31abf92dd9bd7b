#include "translator/caption_maps.h"

#include "explain/word_maps.h"

namespace dhyan {

PictureMaps picture_maps_of(const NamedPicture& picture, const Translation& caption, const CaptionWriter& writer,
                            const ExplainOptions& options) {
  return {.name = picture.scene || picture.file.empty() ? picture.name : picture.file.filename().string(),
          .picture = picture_to_show(picture),
          .caption = caption.text,
          .log_probability = caption.hypothesis.log_probability,
          .rows = writer.grid.height,
          .columns = writer.grid.width,
          .words = word_maps(caption.hypothesis, *writer.tokenizers.target, writer.grid, options),
          .attends = writer.attends};
}

}  // namespace dhyan
