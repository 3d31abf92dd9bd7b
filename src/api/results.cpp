#include "api/results.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "explain/attention_choice.h"

namespace dhyan::api {

namespace {

v1::Translation plain(const Translation& translation) {
  v1::Translation plain{.source = translation.source, .text = translation.text};
  plain.score = translation.hypothesis.score;
  plain.log_probability = translation.hypothesis.log_probability;
  plain.source_tokens = std::ssize(translation.source_tokens);
  plain.target_tokens = std::ssize(translation.hypothesis.tokens);
  plain.finished = translation.finished();
  plain.source_cut = translation.source_cut;
  plain.mostly_unknown = translation.mostly_unknown();
  plain.required_dropped = translation.required_dropped;
  return plain;
}

TranslationUnits caption_units(const Hypothesis& caption, const TokenizerPair& tokenizers, Units units,
                               GridShape grid) {
  const SentenceUnits both{.source = grid_units(grid),
                           .target = target_units(*tokenizers.target, caption.tokens, units)};
  TranslationUnits result{both.source.labels, both.target.labels, unit_scores(caption.token_scores, both.target), {}};
  std::vector<AttentionMap> maps = attention_maps(caption.attention, both, {.summary = Summary::kMean});
  if (!maps.empty()) result.map = std::move(maps.front());
  return result;
}

void add_units(v1::Translation& told, TranslationUnits units, v1::Details details) {
  if (details == v1::Details::kAttention) {
    told.attention = matrix_of(units.map.weights);
    for (const auto& [source, target] : hard_alignment(units.map)) {
      const auto i = static_cast<std::size_t>(source), j = static_cast<std::size_t>(target);
      told.alignment.push_back({static_cast<Index>(source), static_cast<Index>(target), units.map.weights[j][i]});
    }
  }
  told.source_units = std::move(units.source);
  told.target_units = std::move(units.target);
  told.unit_scores = std::move(units.scores);
}

}  // namespace

v1::Translation told(const Translation& translation, const TokenizerPair& tokenizers, const Telling& telling,
                     GridShape grid) {
  if (telling.details == v1::Details::kText) return plain(translation);
  TranslationUnits units = grid.cells() > 0 ? caption_units(translation.hypothesis, tokenizers, telling.units, grid)
                                            : written_units(translation, tokenizers, telling.units);
  v1::Translation told = plain(translation);
  add_units(told, std::move(units), telling.details);
  return told;
}

v1::Translation told_of_given(const Translation& scored, const TokenizerPair& tokenizers, const Telling& telling) {
  TranslationUnits units;
  if (telling.details != v1::Details::kText) units = given_text_units(scored, tokenizers, telling.units);
  v1::Translation told = plain(scored);
  if (told.target_tokens == 0) {
    told.score = told.log_probability = -std::numeric_limits<double>::infinity();
  }
  add_units(told, std::move(units), telling.details);
  return told;
}

v1::Matrix matrix_of(const std::vector<std::vector<double>>& rows) {
  v1::Matrix matrix{.rows = std::ssize(rows), .cols = rows.empty() ? 0 : std::ssize(rows.front())};
  for (const std::vector<double>& row : rows) matrix.values.insert(matrix.values.end(), row.begin(), row.end());
  return matrix;
}

v1::RealMatrix matrix_of(const std::vector<std::vector<Real>>& rows, Real missing) {
  v1::RealMatrix matrix{.rows = std::ssize(rows)};
  for (const std::vector<Real>& row : rows) matrix.cols = std::max<Index>(matrix.cols, std::ssize(row));
  matrix.values.assign(static_cast<std::size_t>(matrix.rows * matrix.cols), missing);
  auto to = matrix.values.begin();
  for (const std::vector<Real>& row : rows) {
    std::ranges::copy(row, to);
    to += matrix.cols;
  }
  return matrix;
}

RecordedAttention recorded_for(const Telling& telling, const TranslationModel& model) {
  const bool attention = telling.details == v1::Details::kAttention && model.has_cross_attention();
  return attention ? RecordedAttention::kWeights : RecordedAttention::kNothing;
}

}  // namespace dhyan::api
