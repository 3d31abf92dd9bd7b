#include <array>

#include "cli/explain_parts.h"
#include "explain/picture_view.h"
#include "translator/caption_maps.h"
#include "translator/decoded_pictures.h"
#include "translator/named_picture.h"

namespace dhyan::cli {

namespace {

NamedPicture picture_to_explain(const ExplainArguments& options) {
  return options.scene ? picture_of_scene(*options.scene) : picture_file(options.text);
}

// --step is text or a page.
struct StepFormat {
  std::string_view name, extension;
};
constexpr std::array kStepFormats{StepFormat{"text", ".txt"}, StepFormat{"html", ".html"}};

}  // namespace

void explain_picture(const ExplainArguments& options, LoadedModel loaded, Output& output) {
  if (options.compared)
    throw UsageError(cat("explain: --compare is for models of text; ", options.model, " reads pictures"));
  if (options.drawing == Drawing::kLines) throw UsageError("explain: --view lines is for text; a picture has maps");
  const Translator translator(std::move(loaded));
  const TranslationModel& model = translator.model();
  const NamedPicture picture = picture_to_explain(options);
  const GridShape size = model.pictures().pixels;
  DecodedPictures pictures(size);
  pictures.add(load_picture(picture, {.wanted_height = size.height, .wanted_width = size.width}));
  const Inputs input(std::span(&picture.name, 1), &pictures);
  if (options.beam) return explain_beam(options, translator, input, output);

  const Translation caption = explained_translation(options, translator, input);
  const AttentionChoice attention = choice_of(options.attention, caption.hypothesis.attention, Summary::kMean);
  if (options.step) {
    const StepFormat& format = format_in(std::span<const StepFormat>(kStepFormats), options);
    const std::vector<Real> context_vector = context_vector_of(model, caption, &pictures);
    const TokenUnits cells = grid_units(model.pictures().grid);
    const Translated seen{.line = caption.source,
                          .text = caption.text,
                          .source_tokens = caption.source_tokens,
                          .hypothesis = caption.hypothesis,
                          .context_vector = context_vector,
                          .cells = cells.labels};
    const auto decode = [&] {
      return model.decode({.tokens = caption.source_tokens, .segments = Segments::one(1), .pictures = &pictures});
    };
    return show_step(options, {seen, translator.tokenizers(), translator.config(), decode}, attention,
                     format.name == "text", output);
  }
  const PictureViewFormat& format = format_in(picture_view_formats(), options);
  const PictureMaps maps =
      picture_maps_of(picture, caption, dhyan::CaptionWriter::of(translator), {options.units, attention});
  if (format.warning != nullptr) warn(format.warning(maps));
  write(options, format.render(maps, looks_of(options, output)), output);
}

}  // namespace dhyan::cli
