#include "translator/influence.h"

#include <algorithm>

#include "core/error.h"
#include "explain/attention_choice.h"

namespace dhyan {

namespace {

using Numbers = std::vector<std::optional<Index>>;

constexpr BatchLimits kBatch = {.max_tokens = 2048, .max_sentences = 64};

// From 0; none stands for all.
Numbers from_0(const std::vector<Index>& numbers) {
  Numbers result;
  for (const Index number : numbers) result.emplace_back(number - 1);
  return result.empty() ? Numbers{std::nullopt} : result;
}

void expect_all_there(const Translation& translation, const InfluenceOptions& options) {
  const auto expect = [&](std::optional<Index> layer, std::optional<Index> head) {
    chosen_attention(translation.hypothesis.attention,
                     {.places = {AttentionPlace::kCross}, .layer = layer, .head = head});
  };
  expect({}, {});
  for (const Index layer : options.layers) expect(layer, {});
  for (const Index head : options.heads) expect({}, head);
}

// No weight for the unit, in any of the steps.
std::vector<WeightEdit> without(std::size_t unit, const TokenUnits& source, const TokenRange& steps,
                                const InfluenceOptions& options) {
  std::vector<WeightEdit> edits = options.edits;
  WeightEdit edit{.sums = {0, 1}};
  for (const std::size_t other : source.unit_of) edit.group_of.push_back(other == unit ? 0 : 1);
  for (std::size_t step = steps.begin; step < steps.end; ++step) {
    for (const auto& layer : from_0(options.layers)) {
      for (const auto& head : from_0(options.heads)) {
        edit.step = static_cast<Index>(step), edit.layer = layer, edit.head = head;
        edits.push_back(edit);
      }
    }
  }
  return edits;
}

double sum_of(std::span<const double> token_scores, const TokenRange& tokens) {
  double sum = 0;
  for (std::size_t i = tokens.begin; i < tokens.end; ++i) sum += token_scores[i];
  return sum;
}

}  // namespace

std::vector<double> influence(const TranslationModel& model, const Translation& translation, const SentenceUnits& units,
                              const InfluenceOptions& options) {
  expect_all_there(translation, options);
  const Hypothesis& hypothesis = translation.hypothesis;
  const TokenRange step = tokens_of_step("influence", units.target, options.step);
  const std::vector<TokenId> written(hypothesis.tokens.begin(),
                                     hypothesis.tokens.begin() + static_cast<Index>(step.end));
  const std::size_t S = units.source.labels.size();
  const std::vector<std::span<const TokenId>> sources(S, translation.source_tokens);
  std::vector<double> changes(S);
  for (SourceSentences& batch : source_batches(sources, kBatch)) {
    if (options.poll) options.poll();
    for (const std::size_t unit : batch.places) batch.edits.push_back(without(unit, units.source, step, options));
    const auto decoding = model.decode(batch.batch(nullptr, KeepAttention::kNo, Precision::kFull, nullptr));
    const std::vector<std::vector<TokenId>> targets(batch.places.size(), written);
    const std::vector<Hypothesis> forced = force(*decoding, targets, {.poll = options.poll});
    for (std::size_t b = 0; b < forced.size(); ++b) {
      changes[batch.places[b]] = sum_of(forced[b].token_scores, step) - sum_of(hypothesis.token_scores, step);
    }
    batch.edits = {};  // they can take megabytes
  }
  return changes;
}

}  // namespace dhyan
