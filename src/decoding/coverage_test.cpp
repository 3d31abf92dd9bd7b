#include "decoding/coverage.h"

#include <cmath>
#include <gtest/gtest.h>

#include "core/testing/thrown.h"
#include "decoding/testing/exhaustive_search.h"

namespace dhyan {
namespace {

TEST(Coverage, EqualsThePenaltyOfThePaper) {
  const HypothesisScore score(SearchOptions{.length_penalty = 0, .coverage_penalty = 0.2});
  const std::vector<double> covered{0.5, 2, 0.25, 0.1};  // the last is </s>
  EXPECT_DOUBLE_EQ(score(-3, 5, covered), -3 + 0.2 * (std::log(0.5) + std::log(0.25)));
  EXPECT_EQ(score(-3, 5), -3);
  EXPECT_TRUE(std::isfinite(score(-3, 5, std::vector<double>{0, 1})));
}

// The score of a translation, its weights added up by hand.
double expected_score(const FakeDecoding::Sentence& sentence, const Hypothesis& one, const SearchOptions& options,
                      Index layers) {
  std::vector<double> covered(static_cast<std::size_t>(sentence.source_length), 0);
  Phrase prefix;
  for (const TokenId token : one.tokens) {
    for (Index layer = 0; layer < layers; ++layer) {
      for (Index head = 0; head < FakeDecoding::kHeads; ++head) {
        const std::vector<Real> energy = FakeDecoding::energy(sentence, prefix, layer, head);
        for (std::size_t j = 0; j < covered.size(); ++j) {
          covered[j] += 2 * double{energy[j]} / static_cast<double>(layers * FakeDecoding::kHeads);
        }
      }
    }
    prefix.push_back(token);
  }
  return HypothesisScore(options)(one.log_probability, std::ssize(one.tokens), covered);
}

TEST(Coverage, WideBeamEqualsExhaustiveSearch) {
  SearchOptions options{.beam_size = 400, .n_best = 20, .length_norm = LengthNorm::kWu, .coverage_penalty = 0.4};
  options.max_length = 4;
  for (const Index layers : {1, 2}) {
    for (const FakeDecoding::Sentence& sentence : several_sentences()) {
      std::vector<Hypothesis> all = exhaustive_search(sentence, options);
      for (Hypothesis& one : all) one.score = expected_score(sentence, one, options, layers);
      std::ranges::sort(all, std::ranges::greater(), &Hypothesis::score);
      expect_found(found(std::vector{sentence}, options, layers).front(), all, 20);
    }
  }
}

TEST(Coverage, IsTheSameInAnyBatchAndInForcedDecoding) {
  const SearchOptions options{.beam_size = 4, .n_best = 3, .coverage_penalty = 0.3, .max_length = 9};
  const auto together = found(several_sentences(), options, 2);
  for (std::size_t b = 0; b < together.size(); ++b) {
    const auto alone = found(std::vector{several_sentences()[b]}, options, 2).front();
    ASSERT_EQ(alone.size(), together[b].size());
    for (std::size_t i = 0; i < alone.size(); ++i) expect_same(alone[i], together[b][i]);
    FakeDecoding decoding({several_sentences()[b]}, 2);
    expect_same(force(decoding, {{alone[0].tokens}}, options).front(), alone[0]);
  }
}

TEST(Coverage, NeedsAttention) {
  const std::string message = "search: a coverage penalty needs a model with cross-attention; this one has none";
  EXPECT_EQ(thrown<UsageError>([] { found(several_sentences(), {.coverage_penalty = 0.1}); }), message);
}

}  // namespace
}  // namespace dhyan
