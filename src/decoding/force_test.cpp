#include <algorithm>
#include <functional>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "decoding/search.h"
#include "decoding/testing/exhaustive_search.h"

namespace dhyan {
namespace {

using Sentence = FakeDecoding::Sentence;
using Prefix = FakeDecoding::Prefix;

TEST(Force, ScoresAHypothesisAsSearchDoes) {
  const SearchOptions options{.beam_size = 3, .n_best = 3, .length_penalty = 0.7};
  const auto best = found(several_sentences(), options);
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<Prefix> targets;
    for (const std::vector<Hypothesis>& list : best) targets.push_back(list[i].tokens);
    FakeDecoding decoding(several_sentences());
    const std::vector<Hypothesis> forced = force(decoding, targets, options);
    ASSERT_EQ(forced.size(), best.size());
    for (std::size_t b = 0; b < forced.size(); ++b) expect_same(forced[b], best[b][i]);
  }
}

TEST(Force, ReturnsAnEmptyHypothesisForAnEmptyTarget) {
  FakeDecoding decoding({{1, 2}, {2, 2}});
  const std::vector<Hypothesis> forced = force(decoding, {{{}, {4, kEnd}}}, {});
  EXPECT_TRUE(forced[0].tokens.empty());
  EXPECT_EQ(forced[0].score, 0);
  EXPECT_NEAR(forced[1].token_scores[1], FakeDecoding::log_probability({2, 2}, {4}, kEnd), 1e-5);
}

TEST(Force, RefusesATokenOutsideOfTheVocabulary) {
  FakeDecoding decoding({{1, 2}});
  EXPECT_EQ(thrown<UsageError>([&] { force(decoding, {{{7}}}, {}); }),
            "search: token 7 is outside of a vocabulary of 7");
}

// The recorded attention of a hypothesis equals that of the model at each of its prefixes.
void expect_kept(const Sentence& sentence, const Hypothesis& one, RecordedAttention keep) {
  ASSERT_EQ(one.attention.size(), 4U);
  for (std::size_t number = 0; number < 4; ++number) {
    const AttentionRecord& record = one.attention[number];
    EXPECT_EQ(record.layer, static_cast<Index>(number) / 2);
    EXPECT_EQ(record.head, static_cast<Index>(number) % 2);
    ASSERT_EQ(record.weights.size(), one.tokens.size());
    ASSERT_EQ(record.energy.size(), keep == RecordedAttention::kSteps ? one.tokens.size() : 0);
    for (std::size_t t = 0; t < one.tokens.size(); ++t) {
      const Prefix prefix(one.tokens.begin(), one.tokens.begin() + static_cast<Index>(t));
      const std::vector<Real> energy = FakeDecoding::energy(sentence, prefix, record.layer, record.head);
      std::vector<Real> weights = energy;
      for (Real& weight : weights) weight *= 2;
      EXPECT_EQ(record.weights[t], weights);
      if (keep != RecordedAttention::kSteps) continue;
      EXPECT_EQ(record.energy[t], energy);
      EXPECT_EQ(record.context[t], FakeDecoding::context(sentence, prefix, record.layer, record.head));
    }
  }
}

TEST(RecordedAttention, EveryHypothesisHasTheAttentionOfItsOwnPrefix) {
  for (const RecordedAttention keep : {RecordedAttention::kWeights, RecordedAttention::kSteps}) {
    const SearchOptions options{.beam_size = 4, .n_best = 4, .max_length = 9, .keep = keep};
    const auto best = found(several_sentences(), options, 2);
    std::vector<Prefix> targets;
    for (std::size_t b = 0; b < best.size(); ++b) {
      for (const Hypothesis& one : best[b]) expect_kept(several_sentences()[b], one, keep);
      targets.push_back(best[b].back().tokens);
    }
    FakeDecoding decoding(several_sentences(), 2);
    const std::vector<Hypothesis> forced = force(decoding, targets, options);
    for (std::size_t b = 0; b < forced.size(); ++b) expect_kept(several_sentences()[b], forced[b], keep);
  }
}

TEST(RecordedAttention, CandidatesOfAStepAreSorted) {
  const Sentence sentence{3, 2};
  for (const Index candidates : {0, 3, 100}) {
    const SearchOptions options{.beam_size = 2, .keep = RecordedAttention::kSteps, .candidates = candidates};
    const Hypothesis best = found(sentence, options).front();
    ASSERT_EQ(best.candidates.size(), best.tokens.size());
    for (std::size_t t = 0; t < best.tokens.size(); ++t) {
      EXPECT_EQ(std::ssize(best.candidates[t]), std::min<Index>(candidates, FakeDecoding::kVocabulary - 3));
      EXPECT_TRUE(std::ranges::is_sorted(best.candidates[t], std::ranges::greater(), &Candidate::log_probability));
      const Prefix prefix(best.tokens.begin(), best.tokens.begin() + static_cast<Index>(t));
      for (const Candidate& word : best.candidates[t]) {
        EXPECT_NEAR(word.log_probability, FakeDecoding::log_probability(sentence, prefix, word.token), 1e-5);
      }
    }
  }
}

TEST(RecordedAttention, IsEmptyByDefault) {
  const Hypothesis best = found(several_sentences(), {}, 2).front().front();
  EXPECT_TRUE(best.attention.empty());
  EXPECT_TRUE(best.candidates.empty());
}

}  // namespace
}  // namespace dhyan
