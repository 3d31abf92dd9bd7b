#include "api/explained.h"

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/results.h"
#include "api/settings.h"
#include "core/error.h"
#include "core/table.h"
#include "explain/formats.h"
#include "explain/picture_view.h"
#include "explain/step.h"
#include "text/unicode.h"
#include "translator/caption_maps.h"
#include "translator/context_vector.h"
#include "translator/decoded_pictures.h"

namespace dhyan {

// What draw() reads.
struct v1::Explanation::Record {
  dhyan::Translation translation;
  std::vector<Real> context_vector;
  TokenizerPair tokenizers;
  GridShape grid = {};  // of a model of pictures
  std::optional<NamedPicture> picture = {};
  std::vector<std::string> cells = {};

  Translated translated() const {
    return {.line = translation.source,
            .text = translation.text,
            .source_tokens = translation.source_tokens,
            .hypothesis = translation.hypothesis,
            .context_vector = context_vector,
            .cells = cells};
  }
};

namespace api {

namespace {

using Record = v1::Explanation::Record;

v1::Place place_of(AttentionPlace place) {
  switch (place) {
    case AttentionPlace::kCross:
      return v1::Place::kCross;
    case AttentionPlace::kDecoder:
      return v1::Place::kDecoder;
    case AttentionPlace::kEncoder:
      return v1::Place::kEncoder;
  }
  return v1::Place::kCross;
}

v1::AttentionHead head_of(const AttentionRecord& record) {
  return {.place = place_of(record.place),
          .layer = record.layer + 1,
          .head = record.head + 1,
          .energy = matrix_of(record.energy, -std::numeric_limits<Real>::infinity()),
          .weights = matrix_of(record.weights, 0),
          .context = matrix_of(record.context, 0)};
}

Translation recorded(const ExplainingModel& model, const Inputs& input, const v1::ExplainOptions& options) {
  SearchRequest base;
  base.search.beam_size = options.beam_size;
  const SearchRequest request = request_of("explain", base, options.more);
  expect_cross_attention_for(request, model.translator.model());
  SearchOptions search = search_options(request);
  search.keep = RecordedAttention::kSteps;
  check(search);
  const Workers workers{.pool = &model.pool, .poll = options.poll};
  if (!options.target) return model.translator.translate(input, search, workers).front().front();
  require_utf8(*options.target, "explain: target");
  return model.translator.force(input, std::span(&*options.target, 1), search, workers).front();
}

void expect_words(const Translation& translation, const Translator& translator) {
  if (translation.source_tokens.empty()) throw UsageError("explain: there are no words in the line to explain");
  if (!translation.hypothesis.tokens.empty()) return;
  throw UsageError(cat("explain: target has more tokens than the ", translator.model().longest(), " the model can"));
}

v1::Explanation explanation_of(std::shared_ptr<const Record> record) {
  const Hypothesis& hypothesis = record->translation.hypothesis;
  const TokenizerPair& tokenizers = record->tokenizers;
  v1::Explanation explanation;
  explanation.translation =
      told(record->translation, tokenizers, {v1::Details::kAttention, Units::kWords}, record->grid);
  explanation.source_tokens = record->picture ? record->cells
                                              : source_units(*tokenizers.source, record->translation.source,
                                                             record->translation.source_tokens, Units::kSubwords)
                                                    .labels;
  explanation.target_tokens = target_units(*tokenizers.target, hypothesis.tokens, Units::kSubwords).labels;
  explanation.input_tokens = given_units(*tokenizers.target, hypothesis.tokens, Units::kSubwords).labels;
  explanation.token_scores = hypothesis.token_scores;
  for (const std::vector<Candidate>& step : hypothesis.candidates) {
    std::vector<v1::Candidate>& likeliest = explanation.candidates.emplace_back();
    for (const Candidate& one : step)
      likeliest.push_back({std::string(tokenizers.target->piece(one.token)), one.log_probability});
  }
  for (const AttentionRecord& attention : hypothesis.attention) explanation.heads.push_back(head_of(attention));
  explanation.context_vector = record->context_vector;
  explanation.record = std::move(record);
  return explanation;
}

v1::Explanation explained_input(const ExplainingModel& model, const Inputs& input, const v1::ExplainOptions& options,
                                Record record) {
  record.translation = recorded(model, input, options);
  record.tokenizers = model.translator.tokenizers();
  expect_words(record.translation, model.translator);
  model.pool.run(1, [&](Index, int) {  // its threads are prepared for kernels
    record.context_vector = context_vector_of(model.translator.model(), record.translation, input.pictures);
  });
  return explanation_of(std::make_shared<const Record>(std::move(record)));
}

}  // namespace

v1::Explanation explained(const ExplainingModel& model, std::span<const std::string> line,
                          const v1::ExplainOptions& options) {
  return explained_input(model, line, options, {});
}

v1::Explanation explained(const ExplainingModel& model, const NamedPicture& picture,
                          const v1::ExplainOptions& options) {
  const PictureInput expected = model.translator.model().pictures();
  if (!expected) throw UsageError("explain: the model reads text, expected a line and not a picture");
  DecodedPictures pictures(expected.pixels);
  pictures.add(load_picture(picture, {.wanted_height = expected.pixels.height, .wanted_width = expected.pixels.width}));
  Record record;
  record.picture = picture;
  record.grid = expected.grid;
  record.cells = grid_units(expected.grid).labels;
  return explained_input(model, Inputs(std::span(&picture.name, 1), &pictures), options, std::move(record));
}

namespace {

const Record& record_of(const v1::Explanation& explanation) {
  if (explanation.record) return *explanation.record;
  throw UsageError("draw: the explanation is empty; expected one of Translator::explain");
}

AttentionOptions wanted_attention(const v1::DrawOptions& options) {
  AttentionOptions wanted;
  wanted.layer = options.layer;
  wanted.head = options.head;
  wanted.heads_apart = options.head.has_value();
  for (const auto& [name, place] : kAttentionPlaces) {
    if (options.place && place_of(place) == *options.place) wanted.place = name;
  }
  return wanted;
}

}  // namespace

}  // namespace api

std::string v1::draw(const Explanation& explanation, const DrawOptions& options) {
  const Explanation::Record& record = api::record_of(explanation);
  const std::vector<AttentionRecord>& attention = record.translation.hypothesis.attention;
  const dhyan::Units units = api::units_of(options.units);
  const auto choice = [&](Summary summary) {
    return attention.empty() ? AttentionChoice() : choice_of(api::wanted_attention(options), attention, summary);
  };
  if (record.picture) {
    const PictureViewFormat& format = entry_named("format", picture_view_formats(), options.format);
    const CaptionWriter writer{record.tokenizers, record.grid, !attention.empty()};
    return format.render(picture_maps_of(*record.picture, record.translation, writer, {units, choice(Summary::kMean)}),
                         {});
  }
  const Format& format = entry_named("format", formats(), options.format);
  return format.render(dhyan::explain(record.translated(), record.tokenizers, {units, choice(format.summary)}), {});
}

std::string v1::step_in_numbers(const Explanation& explanation, std::int64_t step) {
  const Explanation::Record& record = api::record_of(explanation);
  const std::vector<AttentionRecord>& attention = record.translation.hypothesis.attention;
  const AttentionChoice choice =
      attention.empty() ? AttentionChoice() : choice_of({}, attention, formats().front().summary);
  return dhyan::step_in_numbers(record.translated(), record.tokenizers, {.step = step, .attention = choice});
}

}  // namespace dhyan
