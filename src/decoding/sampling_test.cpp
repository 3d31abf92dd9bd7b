#include "decoding/sampling.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "core/testing/thrown.h"
#include "decoding/testing/exhaustive_search.h"

namespace dhyan {
namespace {

// p of words 0 to 4.
const std::vector<double> kProbabilities{0.5, 0.25, 0.15, 0.1, 0};

std::vector<double> logs(const std::vector<double>& probabilities) {
  std::vector<double> logs;
  for (const double p : probabilities) logs.push_back(std::log(p));
  return logs;
}

// How often each word is drawn.
std::array<double, 5> shares(const SamplingOptions& options, int draws = 20000) {
  std::array<double, 5> shares{};
  Rng rng(3);
  const std::vector<double> log_p = logs(kProbabilities);
  for (int i = 0; i < draws; ++i) shares[static_cast<std::size_t>(draw(log_p, options, rng))] += 1.0 / draws;
  return shares;
}

void expect_frequencies(const SamplingOptions& options, const std::vector<double>& expected) {
  const std::array<double, 5> drawn = shares(options);
  for (std::size_t word = 0; word < expected.size(); ++word) {
    if (expected[word] == 0) {
      EXPECT_EQ(drawn[word], 0) << word;
    } else {
      EXPECT_NEAR(drawn[word], expected[word], 0.015) << word;
    }
  }
}

TEST(Sampling, DrawsWordsByTheirProbability) { expect_frequencies({}, kProbabilities); }

TEST(Sampling, LowTemperatureSharpensTheDistribution) {
  double sum = 0;
  std::vector<double> squares;
  for (const double p : kProbabilities) sum += p * p;
  for (const double p : kProbabilities) squares.push_back(p * p / sum);
  expect_frequencies({.temperature = 0.5}, squares);
  expect_frequencies({.temperature = 0}, {1, 0, 0, 0, 0});
}

TEST(Sampling, TopKAndTopPKeepTheLikeliestWords) {
  expect_frequencies({.top_k = 2}, {2.0 / 3, 1.0 / 3, 0, 0, 0});
  expect_frequencies({.top_k = 1}, {1, 0, 0, 0, 0});
  expect_frequencies({.top_p = 0.75}, {2.0 / 3, 1.0 / 3, 0, 0, 0});
  expect_frequencies({.top_p = 0.76}, {0.5 / 0.9, 0.25 / 0.9, 0.15 / 0.9, 0, 0});
  expect_frequencies({.top_k = 1, .top_p = 0.9}, {1, 0, 0, 0, 0});
  expect_frequencies({.top_p = 1e-9}, {1, 0, 0, 0, 0});
}

std::vector<Hypothesis> sampled(const std::vector<FakeDecoding::Sentence>& sentences, const SamplingOptions& options,
                                std::uint64_t seed = 1) {
  FakeDecoding decoding(sentences, 1);
  std::vector<Rng> rngs;
  for (const FakeDecoding::Sentence& sentence : sentences) rngs.push_back(Rng(seed).split(sentence.seed));
  return sample(decoding, std::vector<TokenId>(sentences.size(), kBegin), rngs, options);
}

TEST(Sampling, SequencesDoNotDependOnTheBatch) {
  const std::vector<FakeDecoding::Sentence> sentences{{1, 2}, {2, 3}, {3, 1}};
  const std::vector<Hypothesis> together = sampled(sentences, {.max_length = 12});
  for (std::size_t b = 0; b < sentences.size(); ++b) {
    const Hypothesis alone = sampled({sentences[b]}, {.max_length = 12}).front();
    EXPECT_EQ(together[b].tokens, alone.tokens);
    EXPECT_EQ(together[b].token_scores, alone.token_scores);
    EXPECT_EQ(std::ssize(alone.tokens), 12);
    double sum = 0;
    FakeDecoding::Prefix prefix;
    for (const TokenId token : alone.tokens) {
      EXPECT_TRUE(token != kPad && token != kBegin);
      sum += FakeDecoding::log_probability(sentences[b], prefix, token);
      prefix.push_back(token);
    }
    EXPECT_NEAR(alone.log_probability, sum, 1e-4);
  }
}

TEST(Sampling, DrawsUnknownOnlyIfAllowed) {
  const auto unknown = [](const SamplingOptions& options) {
    return std::ranges::count(sampled({{1, 2}}, options).front().tokens, kUnknown);
  };
  EXPECT_EQ(unknown({.max_length = 500}), 0);
  EXPECT_GT(unknown({.max_length = 500, .allow_unknown = true}), 20);
}

TEST(Sampling, NeverDrawsTokensListedAsNeverDrawn) {
  const std::vector<TokenId> never{4, 6};
  const auto count = [](const SamplingOptions& options, TokenId token) {
    return std::ranges::count(sampled({{1, 2}}, options).front().tokens, token);
  };
  for (const TokenId token : never) {
    EXPECT_GT(count({.max_length = 500}, token), 20);
    EXPECT_EQ(count({.max_length = 500, .never_drawn = never}, token), 0);
  }
}

TEST(Sampling, DependsOnTheSeedAndStopsAtTheLastToken) {
  const std::vector<FakeDecoding::Sentence> sentence{{1, 2}};
  const auto tokens = [&](std::uint64_t seed, const SamplingOptions& options) {
    return sampled(sentence, options, seed).front().tokens;
  };
  EXPECT_EQ(tokens(1, {.max_length = 30}), tokens(1, {.max_length = 30}));
  EXPECT_NE(tokens(1, {.max_length = 30}), tokens(2, {.max_length = 30}));
  const std::vector<TokenId> ended = tokens(1, {.max_length = 1000, .last = kEnd});
  ASSERT_LT(ended.size(), 1000U);
  EXPECT_EQ(ended.back(), kEnd);
  EXPECT_EQ(std::ranges::count(ended, kEnd), 1);
}

TEST(Sampling, RecordsAttentionIfAsked) {
  const Hypothesis kept = sampled({{1, 2}}, {.max_length = 4, .keep = RecordedAttention::kSteps}).front();
  ASSERT_EQ(kept.attention.size(), static_cast<std::size_t>(FakeDecoding::kHeads));
  EXPECT_EQ(kept.attention.front().weights.size(), 4U);
  EXPECT_EQ(kept.candidates.size(), 4U);
  EXPECT_TRUE(sampled({{1, 2}}, {.max_length = 4}).front().attention.empty());
}

TEST(Sampling, RefusesOptionsOutOfRange) {
  EXPECT_EQ(thrown<UsageError>([] { check(SamplingOptions{.temperature = -1}); }),
            "sampling: the temperature is -1, expected 0 or more");
  EXPECT_THROW(check(SamplingOptions{.top_k = -1}), UsageError);
  EXPECT_THROW(check(SamplingOptions{.top_p = 0}), UsageError);
  EXPECT_THROW(check(SamplingOptions{.max_length = 0}), UsageError);
  FakeDecoding decoding({{1, 2}});
  EXPECT_THROW(sample(decoding, std::vector<TokenId>{}, std::vector<Rng>{}, {}), UsageError);
}

std::vector<std::vector<Hypothesis>> drawn(const std::vector<FakeDecoding::Sentence>& sentences,
                                           const SamplingOptions& options, const SearchOptions& search,
                                           const SearchTask& task = {}) {
  FakeDecoding decoding(sentences, 1);
  std::vector<SearchTask> tasks(sentences.size(), task);
  std::vector<Rng> streams;
  for (std::size_t b = 0; b < sentences.size(); ++b) {
    tasks[b].source_length = sentences[b].source_length;
    streams.push_back(Rng(7).split(sentences[b].seed));
  }
  return sample_translations(decoding, tasks, streams, options, search);
}

TEST(SampleTranslations, DependNeitherOnTheBatchNorOnNBest) {
  const SearchOptions search{.beam_size = 5, .n_best = 5, .max_length = 9, .keep = RecordedAttention::kWeights};
  SearchOptions first = search;
  first.n_best = 1;
  const auto together = drawn(several_sentences(), {}, search);
  for (std::size_t b = 0; b < together.size(); ++b) {
    ASSERT_EQ(together[b].size(), 5U);
    const auto alone = drawn({several_sentences()[b]}, {}, search).front();
    for (std::size_t i = 0; i < 5; ++i) expect_same(together[b][i], alone[i]);
    const Hypothesis one = drawn({several_sentences()[b]}, {}, first).front().front();
    const auto same = std::ranges::find(together[b], one.tokens, &Hypothesis::tokens);
    ASSERT_NE(same, together[b].end());
    expect_same(*same, one);
    FakeDecoding decoding({several_sentences()[b]}, 1);
    const Hypothesis forced = force(decoding, {{together[b][4].tokens}}, search).front();
    EXPECT_NEAR(forced.score, together[b][4].score, 1e-6);
    EXPECT_EQ(forced.attention.front().weights, together[b][4].attention.front().weights);
  }
}

TEST(SampleTranslations, AreSortedByScore) {
  for (const auto& sentence : drawn(several_sentences(), {}, {.beam_size = 20, .n_best = 20})) {
    EXPECT_TRUE(std::ranges::is_sorted(sentence, std::ranges::greater(), &Hypothesis::score));
    EXPECT_GT(sentence.front().score, sentence.back().score);
  }
}

TEST(SampleTranslations, WithTemperatureZeroEqualGreedySearch) {
  for (const SamplingOptions& options : {SamplingOptions{.temperature = 0}, SamplingOptions{.top_k = 1}}) {
    const auto sampled = drawn(several_sentences(), options, {.beam_size = 1});
    const auto greedy = found(several_sentences(), {.beam_size = 1});
    for (std::size_t b = 0; b < sampled.size(); ++b) EXPECT_EQ(sampled[b][0].tokens, greedy[b][0].tokens);
  }
}

TEST(SampleTranslations, ContainUnknownOnlyIfSearchAllowsIt) {
  const auto unknown = [](const SearchOptions& search) {
    std::ptrdiff_t count = 0;
    for (const auto& sentence : drawn(several_sentences(), {}, search)) {
      for (const Hypothesis& one : sentence) count += std::ranges::count(one.tokens, kUnknown);
    }
    return count;
  };
  EXPECT_EQ(unknown({.beam_size = 20, .n_best = 20}), 0);
  EXPECT_GT(unknown({.beam_size = 20, .n_best = 20, .allow_unknown = true}), 20);
}

TEST(SampleTranslations, ContainNeverDrawnTokensInAPrefixOnly) {
  const std::vector<TokenId> never{5};
  for (const auto& sentence :
       drawn(several_sentences(), {.never_drawn = never}, {.beam_size = 20, .n_best = 20}, {.prefix = {4, 5}})) {
    for (const Hypothesis& one : sentence) {
      EXPECT_EQ(one.tokens[1], 5);
      EXPECT_EQ(std::ranges::count(one.tokens, 5), 1);
    }
  }
}

TEST(SampleTranslations, ObeyTheMinimumLengthWithoutOtherRules) {
  for (const auto& sentence : drawn(several_sentences(), {}, {.beam_size = 20, .n_best = 20, .min_length = 5})) {
    for (const Hypothesis& one : sentence) EXPECT_GE(one.tokens.size(), 6U);
  }
}

TEST(SampleTranslations, ObeyTheWordRules) {
  const SearchOptions search{.beam_size = 20, .n_best = 20, .min_length = 2, .max_length = 9, .no_repeat_ngram = 1};
  for (const auto& sentence : drawn(several_sentences(), {}, search, {.prefix = {5}, .vocabulary = {1, 4, 5}})) {
    for (const Hypothesis& one : sentence) {
      EXPECT_EQ(one.tokens.front(), 5);
      EXPECT_GE(one.tokens.size(), 3U);
      EXPECT_EQ(std::set<TokenId>(one.tokens.begin(), one.tokens.end()).size(), one.tokens.size());
      for (const TokenId token : one.tokens) EXPECT_TRUE(token >= 3 && token <= 5);
    }
  }
  EXPECT_EQ(thrown<UsageError>([&] {
              drawn({{1, 2}}, {}, search, {.required = {{4}}});
            }),
            "sampling: phrases cannot be required; use beam search");
}

}  // namespace
}  // namespace dhyan
