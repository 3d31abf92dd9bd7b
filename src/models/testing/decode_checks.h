#pragma once

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>

#include "models/testing/tiny_models.h"
#include "ops/softmax.h"

namespace dhyan {

// For tests: checks of a Decoding of any kind, without a search.

// The logits of every word when sentences are fed `inputs` step by step; a finished sentence leaves the batch. Owned.
inline Tensor stepwise_logits(Decoding& decoding, std::span<const TokenId> inputs, const Segments& sentences) {
  const auto B = static_cast<std::size_t>(sentences.count());
  std::vector<RowId> row_of(B);
  std::iota(row_of.begin(), row_of.end(), RowId{0});
  Tensor all;
  for (Index t = 0; t < sentences.longest(); ++t) {
    std::vector<RowId> rows;
    std::vector<Index> places, counts(B, 0);
    std::vector<TokenId> tokens;
    for (std::size_t b = 0; b < B; ++b) {
      if (t >= sentences.length(static_cast<Index>(b))) continue;
      counts[b] = 1;
      rows.push_back(std::exchange(row_of[b], static_cast<RowId>(rows.size())));
      places.push_back(sentences.begin(static_cast<Index>(b)) + t);
      tokens.push_back(inputs[static_cast<std::size_t>(places.back())]);
    }
    const Tensor logits = decoding.step({rows, tokens, Segments::from_lengths(counts)}).logits.value();  // [A,V]
    if (t == 0) all = Tensor::zeros({sentences.rows(), logits.cols()});
    for (std::size_t i = 0; i < places.size(); ++i) {
      std::ranges::copy(logits.row(static_cast<Index>(i)), all.row(places[i]).begin());
    }
  }
  return all;  // [ΣT,V]
}

// log p of each target of the batch, given these logits.
inline std::vector<double> target_scores(const Tensor& logits, const Batch& batch) {
  Arena arena;
  Scope scope(arena);
  const Tensor log_p = log_softmax(scope.constant(logits)).value();  // [ΣT,V]
  std::vector<double> scores;
  for (Index b = 0; b < batch.sentences(); ++b) {
    scores.push_back(0);
    for (Index row = batch.target_segments.begin(b); row < batch.target_segments.end(b); ++row) {
      const auto word = static_cast<std::size_t>(batch.target[static_cast<std::size_t>(row)]);
      scores.back() += double{log_p.row(row)[word]};
    }
  }
  return scores;
}

inline std::vector<double> forced(const TranslationModel& model, const Batch& batch) {
  const auto decoding = model.decode(source_of(batch));
  return target_scores(stepwise_logits(*decoding, decoder_inputs(batch), batch.target_segments), batch);
}

// Decodes one sentence of a source.
using DecodeOne = std::function<std::unique_ptr<Decoding>(const SourceBatch& source)>;

// The logits after a prefix, of one sentence alone.
inline std::vector<Real> logits_after(Decoding& decoding, const std::vector<TokenId>& prefix) {
  const Tensor logits = stepwise_logits(decoding, prefix, Segments::one(std::ssize(prefix)));  // [T,V]
  const std::span<const Real> last = logits.row(std::ssize(prefix) - 1);
  return {last.begin(), last.end()};
}

// A random search: hypotheses are copied, swapped and dropped, and a sentence ends. The logits of each must have the
// same bytes as when it is decoded alone. The batch has three sentences.
inline void expect_right_continuations_in(Precision precision, const DecodeOne& decode, const Batch& batch,
                                          Index vocabulary) {
  constexpr Index kLive[][3] = {{1, 1, 1}, {3, 2, 1}, {2, 9, 0}, {12, 1, 0}, {2, 3, 0}};
  const auto decoding = decode(source_of(batch, precision));
  ASSERT_EQ(decoding->sentences(), 3);
  Rng rng(6);
  std::vector<std::vector<TokenId>> prefixes(3);
  Segments before = Segments::singles(3);
  for (const auto& counts : kLive) {
    const Segments now = Segments::from_lengths(counts);
    std::vector<RowId> rows;
    std::vector<TokenId> tokens;
    std::vector<std::vector<TokenId>> longer;
    for (Index b = 0; b < 3; ++b) {
      for (Index k = 0; k < counts[b]; ++k) {
        const auto parent =
            static_cast<std::uint64_t>(before.begin(b)) + rng.below(static_cast<std::uint64_t>(before.length(b)));
        rows.push_back(static_cast<RowId>(parent));
        tokens.push_back(static_cast<TokenId>(rng.below(static_cast<std::uint64_t>(vocabulary))));
        longer.push_back(prefixes[parent]);
        longer.back().push_back(tokens.back());
      }
    }
    const DecoderStep step = decoding->step({rows, tokens, now});
    ASSERT_EQ(step.logits.shape(), (Shape{now.rows(), vocabulary}));
    for (Index b = 0; b < 3; ++b) {
      const Batch one = sentence_of(batch, b);
      for (Index row = now.begin(b); row < now.end(b); ++row) {
        const std::span<const Real> logits = step.logits.value().row(row);
        EXPECT_EQ(std::vector(logits.begin(), logits.end()),
                  logits_after(*decode(source_of(one, precision)), longer[static_cast<std::size_t>(row)]));
      }
    }
    prefixes = longer;
    before = now;
  }
}

inline void expect_right_continuations(const DecodeOne& decode, const Batch& batch, Index vocabulary) {
  expect_right_continuations_in(Precision::kFull, decode, batch, vocabulary);
  expect_right_continuations_in(Precision::kSplitBfloat16, decode, batch, vocabulary);
}

// Expects an edit of the first of two sentences to change its logits at the edited step, none before it and none of the
// other sentence. `decode` gives a model that attends.
inline void expect_edits_from_their_step_on(const DecodeOne& decode, const Batch& batch) {
  const std::vector<TokenId> inputs = decoder_inputs(batch);
  const Segments& targets = batch.target_segments;
  const auto S = static_cast<std::size_t>(batch.source_segments.length(0));
  const Index step = targets.length(0) / 2;
  WeightEdit edit{.step = step, .group_of = std::vector<std::size_t>(S), .sums = std::vector<Real>(S, 0)};
  std::iota(edit.group_of.begin(), edit.group_of.end(), std::size_t{0});
  edit.sums[0] = edit.sums[S - 1] = Real{0.5};
  const std::vector<std::vector<WeightEdit>> edits{{edit}, {}};
  SourceBatch source = source_of(batch);
  const Tensor model = stepwise_logits(*decode(source), inputs, targets);  // [ΣT,V]
  source.edits = edits;
  const Tensor edited = stepwise_logits(*decode(source), inputs, targets);  // [ΣT,V]
  for (Index row = 0; row < targets.rows(); ++row) {
    const bool is_later = row > step && row < targets.end(0);  // which may or may not read the step
    if (is_later) continue;
    EXPECT_EQ(std::ranges::equal(edited.row(row), model.row(row)), row != step) << row;
  }
}

// Expects weights that sum to 1 for every query and head; returns how many there are.
inline Index rows_that_sum_to_one(const AttentionStep& attention) {
  Index rows = 0;
  EXPECT_EQ(attention.weights.value().size(), attention.layout.count());
  EXPECT_EQ(attention.energy.shape(), attention.weights.shape());
  kernels::for_each_block(attention.layout, [&](const kernels::LayoutBlock& block) {
    for (Index t = 0; t < block.T; ++t, ++rows) {
      const auto alpha = attention.weights.value().span().subspan(static_cast<std::size_t>(block.offset + t * block.S),
                                                                  static_cast<std::size_t>(block.S));
      EXPECT_NEAR(std::accumulate(alpha.begin(), alpha.end(), 0.0), 1, 1e-6);
    }
  });
  return rows;
}

}  // namespace dhyan
