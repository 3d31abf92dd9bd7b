#include "decoding/beam.h"

#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "decoding/testing/exhaustive_search.h"

namespace dhyan {
namespace {

TEST(Beam, FindsTheBestScoresByWusNormalisation) {
  for (const double penalty : {0.6, 1.0}) {
    SearchOptions options{.beam_size = 400, .n_best = 60, .length_penalty = penalty, .length_norm = LengthNorm::kWu};
    options.max_length = 4;
    for (const FakeDecoding::Sentence& sentence : several_sentences()) {
      expect_found(found(sentence, options), exhaustive_search(sentence, options), 60);
    }
  }
}

TEST(Beam, StopsAtTheFirstFinishedHypothesesWithStoppingFull) {
  Index saved = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SearchOptions options{.beam_size = 3, .n_best = 3, .max_length = 14, .stopping = Stopping::kFull};
    FakeDecoding first({{seed, 2}}), likely({{seed, 2}});
    const auto best = search(first, {{2}}, options).front();
    options.stopping = Stopping::kLikely;
    const auto better = search(likely, {{2}}, options).front();
    EXPECT_LE(best.front().score, better.front().score);
    saved += likely.steps() - first.steps();
  }
  EXPECT_GT(saved, 10);
}

TEST(Beam, PatienceAddsStepsAndNeverLowersTheScore) {
  Index more_steps = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    double last_score = -1e9;
    Index last_steps = 0;
    for (const double patience : {0.5, 1.0, 3.0}) {
      FakeDecoding decoding({{seed, 2}});
      const SearchOptions options{.beam_size = 4, .max_length = 14, .stopping = Stopping::kFull, .patience = patience};
      const auto best = search(decoding, {{2}}, options).front();
      EXPECT_GE(best.front().score, last_score);
      EXPECT_GE(decoding.steps(), last_steps);
      more_steps += decoding.steps() - last_steps;
      last_score = best.front().score;
      last_steps = decoding.steps();
    }
  }
  EXPECT_GT(more_steps, 60);
}

// A beam that stays as wide as it was finds what a narrower one would have pruned, and costs steps.
TEST(Beam, RefillsThePlacesOfFinishedHypotheses) {
  Index better = 0, worse = 0, more_steps = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SearchOptions options{.beam_size = 3, .max_length = 14, .stopping = Stopping::kCertain};
    FakeDecoding narrowing({{seed, 2}}), full({{seed, 2}});
    const double narrow = search(narrowing, {{2}}, options).front().front().score;
    options.refill = true;
    const double refilled = search(full, {{2}}, options).front().front().score;
    better += refilled > narrow + 1e-9;
    worse += refilled < narrow - 1e-9;
    more_steps += full.steps() - narrowing.steps();
  }
  EXPECT_GT(better, worse);
  EXPECT_GE(more_steps, 0);
  const SearchOptions greedy{.beam_size = 1}, refilled{.beam_size = 1, .refill = true};
  for (const FakeDecoding::Sentence& sentence : several_sentences()) {
    EXPECT_EQ(found(sentence, greedy).front().tokens, found(sentence, refilled).front().tokens);
  }
}

// With probabilities 6/9, 2/9 and 1/9 of a word, </s> and another word at every step, a beam of 2 ends with the first
// </s> in its place and follows the likeliest word in the other, and a beam that stays as wide finds one more </s>.
TEST(Beam, MayBecomeNarrowerWithEachFinishedHypothesis) {
  SearchOptions options{.beam_size = 2, .n_best = 2, .length_penalty = 0, .max_length = 6, .stopping = Stopping::kFull};
  const auto lengths = [&] {
    const Real low = -100;
    ConstantDecoding decoding({low, low, low, std::log(Real(2)), std::log(Real(6)), 0});
    std::vector<std::size_t> result;
    const auto best = search(decoding, {{2}}, options);
    for (const Hypothesis& one : best.front()) result.push_back(one.tokens.size());
    return result;
  };
  EXPECT_EQ(lengths(), (std::vector<std::size_t>{1, 2}));
  options.narrow = true;
  EXPECT_EQ(lengths(), (std::vector<std::size_t>{1, 6}));
  options.refill = true;
  EXPECT_EQ(thrown<UsageError>([&] { lengths(); }),
            "search: a finished hypothesis cannot both give its place to another and take it along");
}

TEST(Beam, OptionsForRankingDoNotChangeGreedySearch) {
  for (const FakeDecoding::Sentence& sentence : several_sentences()) {
    const Phrase greedy = found(sentence, {.beam_size = 1}).front().tokens;
    SearchOptions other{.beam_size = 1, .length_norm = LengthNorm::kWu, .coverage_penalty = 1};
    other.stopping = Stopping::kFull;
    EXPECT_EQ(found(std::vector{sentence}, other, 1).front().front().tokens, greedy);
  }
}

// The tree contains the path to each returned hypothesis, and the best pruned hypotheses.
TEST(Beam, RecordsKeptAndPrunedHypotheses) {
  const SearchOptions options{.beam_size = 3, .n_best = 2, .max_length = 9, .allow_unknown = true, .record_pruned = 2};
  for (const FakeDecoding::Sentence& sentence : several_sentences()) {
    const SearchResult one = found_for({sentence}, {{}}, options).front();
    ASSERT_EQ(one.beam.best.size(), one.best.size());
    std::vector<Index> kept(10), pruned(10);
    for (const BeamNode& node : one.beam.nodes) {
      ++(node.fate == BeamNode::Fate::kPruned ? pruned : kept)[static_cast<std::size_t>(node.step)];
      EXPECT_EQ(node.fate == BeamNode::Fate::kEnded, node.token == kEnd && node.fate != BeamNode::Fate::kPruned);
      const double before = node.parent < 0 ? 0 : one.beam.nodes[static_cast<std::size_t>(node.parent)].log_probability;
      EXPECT_DOUBLE_EQ(node.log_probability, before + node.token_score);
    }
    EXPECT_EQ(kept[1], 3);
    EXPECT_EQ(pruned[1], 2);
    EXPECT_EQ(pruned[2], 2);
    for (std::size_t i = 0; i < one.best.size(); ++i) {
      Phrase tokens;
      for (Index at = one.beam.best[i]; at >= 0; at = one.beam.nodes[static_cast<std::size_t>(at)].parent) {
        tokens.insert(tokens.begin(), one.beam.nodes[static_cast<std::size_t>(at)].token);
      }
      EXPECT_EQ(tokens, one.best[i].tokens);
    }
  }
  EXPECT_TRUE(found_for({{1, 2}}, {{}}, {}).front().beam.nodes.empty());
}

TEST(Beam, RefusesOptionsOutOfRange) {
  const auto refused = [&](const SearchOptions& options) { return thrown<UsageError>([&] { check(options); }); };
  EXPECT_EQ(refused({.coverage_penalty = -1}), "search: the coverage penalty is -1, expected 0 or more");
  EXPECT_EQ(refused({.min_length = 9, .max_length = 9}),
            "search: the minimum length is 9, expected 0 or more and less than the maximum length, 9");
  EXPECT_EQ(refused({.patience = 0}), "search: patience is 0, expected more than 0");
  EXPECT_EQ(refused({.groups = 0}), "search: the number of groups is 0, expected 1 or more");
  EXPECT_EQ(refused({.beam_size = 5, .groups = 2}), "search: a beam of 5 cannot be divided into 2 groups");
  EXPECT_EQ(refused({.diversity = -1}), "search: the diversity penalty is -1, expected 0 or more");
  EXPECT_EQ(refused({.no_repeat_ngram = -1}), "search: the length of n-grams is -1, expected 0 or more");
  EXPECT_EQ(refused({.forbidden = {{}}}), "search: a forbidden phrase has no words");
}

}  // namespace
}  // namespace dhyan
