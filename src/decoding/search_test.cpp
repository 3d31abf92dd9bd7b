#include "decoding/search.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "decoding/testing/exhaustive_search.h"

namespace dhyan {
namespace {

using Sentence = FakeDecoding::Sentence;
using Prefix = FakeDecoding::Prefix;

TEST(Search, BeamOfOneTakesTheLikeliestWordAtEveryStep) {
  for (const Sentence& sentence : several_sentences()) {
    const Hypothesis best = found(sentence, {.beam_size = 1}).front();
    Prefix prefix;
    while (prefix.empty() || (prefix.back() != kEnd && std::ssize(prefix) < std::ssize(best.tokens))) {
      TokenId likeliest = kEnd;
      for (TokenId token = kEnd + 1; token < FakeDecoding::kVocabulary; ++token) {
        const auto p = [&](TokenId one) { return FakeDecoding::log_probability(sentence, prefix, one); };
        if (p(token) > p(likeliest)) likeliest = token;
      }
      prefix.push_back(likeliest);
    }
    EXPECT_EQ(best.tokens, prefix);
    EXPECT_EQ(found(sentence, {.beam_size = 1, .scored = false}).front().tokens, prefix);
    EXPECT_TRUE(best.tokens.back() == kEnd || std::ssize(best.tokens) == 3 * sentence.source_length + 10);
  }
}

TEST(Search, GreedyFindsTheSameWordsFromTopKLogits) {
  for (const Sentence& sentence : several_sentences()) {
    for (const Index least : {0, 4}) {
      for (const std::vector<Phrase>& forbidden : {std::vector<Phrase>{}, {{5}}}) {
        SearchOptions options{.beam_size = 1, .min_length = least, .forbidden = forbidden};
        const std::vector<TokenId> expected = found(sentence, options).front().tokens;
        options.scored = false;
        FakeDecoding decoding({sentence});
        decoding.leave_out_logits();
        EXPECT_EQ(search(decoding, std::vector{sentence.source_length}, options).front().front().tokens, expected);
      }
    }
  }
}

TEST(Search, BeamFindsTheSameWordsFromTopKLogits) {
  for (const Sentence& sentence : several_sentences()) {
    for (const SearchOptions& options : {SearchOptions{.beam_size = 3, .n_best = 3},
                                         {.beam_size = 2, .min_length = 4},
                                         {.beam_size = 1},
                                         {.beam_size = 4, .groups = 2}}) {
      FakeDecoding decoding({sentence});
      decoding.leave_out_logits();
      const std::vector<Hypothesis> best = search(decoding, std::vector{sentence.source_length}, options).front();
      const std::vector<Hypothesis> expected = found(sentence, options);
      ASSERT_EQ(best.size(), expected.size());
      for (std::size_t i = 0; i < best.size(); ++i) {
        EXPECT_EQ(best[i].tokens, expected[i].tokens);
        EXPECT_EQ(best[i].token_scores, expected[i].token_scores);
      }
    }
  }
}

TEST(Search, RefusesABeamWithoutScores) {
  const Sentence sentence = several_sentences().front();
  EXPECT_THROW(found(sentence, {.beam_size = 2, .scored = false}), UsageError);
  EXPECT_THROW(found(sentence, {.beam_size = 1, .scored = false, .keep = RecordedAttention::kSteps}), UsageError);
}

TEST(Search, RefusesARecordOfMoreThanItMayHold) {
  const std::vector sentences{several_sentences().front()};
  const SearchOptions options{.beam_size = 4, .keep = RecordedAttention::kSteps};
  EXPECT_NO_THROW(found(sentences, options, 1));
  SearchOptions small = options;
  small.max_recorded = 3;
  EXPECT_THROW(found(sentences, small, 1), DataError);
  small.keep = RecordedAttention::kNothing;
  EXPECT_NO_THROW(found(sentences, small, 1));
}

TEST(Search, WideBeamEqualsExhaustiveSearch) {
  for (const double penalty : {0.0, 0.6, 1.0}) {
    for (const Sentence& sentence : several_sentences()) {
      const SearchOptions options{.beam_size = 400, .n_best = 60, .length_penalty = penalty, .max_length = 4};
      const std::vector<Hypothesis> best = found(sentence, options), all = exhaustive_search(sentence, options);
      ASSERT_EQ(best.size(), 60U);
      for (std::size_t i = 0; i < best.size(); ++i) {
        EXPECT_EQ(best[i].tokens, all[i].tokens) << i;
        EXPECT_NEAR(best[i].score, all[i].score, 1e-5);
        EXPECT_NEAR(best[i].log_probability, all[i].log_probability, 1e-5);
      }
    }
  }
}

// Plain beam search that always runs to the maximum length.
std::vector<Hypothesis> unstopped(const Sentence& sentence, const SearchOptions& options) {
  std::vector<Hypothesis> live(1), finished;
  for (Index length = 1; length <= options.max_length; ++length) {
    std::vector<Hypothesis> longer;
    for (const Hypothesis& one : live) {
      for (const TokenId token : {3, 4, 5, 6}) {
        Hypothesis extended = one;
        extended.log_probability += FakeDecoding::log_probability(sentence, one.tokens, token);
        extended.tokens.push_back(token);
        extended.score = normalised(extended.log_probability, length, options.length_penalty);
        longer.push_back(extended);
      }
    }
    std::ranges::sort(longer, std::ranges::greater(), &Hypothesis::log_probability);
    longer.resize(std::min(longer.size(), static_cast<std::size_t>(options.beam_size)));
    live.clear();
    for (const Hypothesis& one : longer) (one.tokens.back() == kEnd ? finished : live).push_back(one);
  }
  finished.insert(finished.end(), live.begin(), live.end());
  std::ranges::stable_sort(finished, std::ranges::greater(), &Hypothesis::score);
  finished.resize(std::min(finished.size(), static_cast<std::size_t>(options.beam_size)));
  return finished;
}

TEST(Search, CertainStoppingIsExactAndEarlierStoppingSavesSteps) {
  int early = 0, saved = 0;
  for (const double penalty : {0.0, 1.0}) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      SearchOptions options{.beam_size = 4, .n_best = 4, .length_penalty = penalty, .max_length = 14};
      FakeDecoding likely({{seed, 2}}), certain({{seed, 2}});
      const double guess = search(likely, {{2}}, options).front().front().score;
      options.stopping = Stopping::kCertain;
      const std::vector<Hypothesis> best = search(certain, {{2}}, options).front();
      const std::vector<Hypothesis> expected = unstopped({seed, 2}, options);
      ASSERT_EQ(best.size(), expected.size());
      for (std::size_t i = 0; i < best.size(); ++i) EXPECT_EQ(best[i].tokens, expected[i].tokens);
      EXPECT_LE(guess, best.front().score);
      early += certain.steps() < 14;
      saved += static_cast<int>(certain.steps() - likely.steps());
    }
  }
  EXPECT_GT(early, 10);
  EXPECT_GT(saved, 20);
}

TEST(Search, ReturnsDistinctHypothesesByScore) {
  for (const Sentence& sentence : several_sentences()) {
    const std::vector<Hypothesis> best = found(sentence, {.beam_size = 6, .n_best = 6, .max_length = 8});
    ASSERT_EQ(best.size(), 6U);
    EXPECT_TRUE(std::ranges::is_sorted(best, std::ranges::greater(), &Hypothesis::score));
    std::set<Prefix> distinct;
    for (const Hypothesis& one : best) distinct.insert(one.tokens);
    EXPECT_EQ(distinct.size(), best.size());
  }
}

TEST(Search, BestHypothesisDoesNotDependOnNBest) {
  for (const Sentence& sentence : several_sentences()) {
    SearchOptions options{.beam_size = 5, .n_best = 5, .max_length = 20};
    const std::vector<Hypothesis> five = found(sentence, options);
    options.n_best = 1;
    const std::vector<Hypothesis> one = found(sentence, options);
    ASSERT_EQ(one.size(), 1U);
    expect_same(one.front(), five.front());
  }
}

TEST(Search, SentenceResultsDoNotDependOnTheBatch) {
  for (const Index beam_size : {1, 3}) {
    const SearchOptions options{.beam_size = beam_size, .n_best = beam_size};
    const auto together = found(several_sentences(), options);
    ASSERT_EQ(together.size(), several_sentences().size());
    for (std::size_t b = 0; b < together.size(); ++b) {
      const std::vector<Hypothesis> alone = found(several_sentences()[b], options);
      ASSERT_EQ(together[b].size(), alone.size());
      for (std::size_t i = 0; i < alone.size(); ++i) expect_same(together[b][i], alone[i]);
    }
  }
}

TEST(Search, NeverWritesPaddingOrTheBeginToken) {
  ConstantDecoding misled({9, 1, 8, 2});
  SearchOptions options{.beam_size = 2, .n_best = 2, .length_penalty = 0, .max_length = 3, .allow_unknown = true};
  const auto best = search(misled, {{1}}, options);
  ASSERT_EQ(best.front().size(), 2U);
  EXPECT_EQ(best.front()[0].tokens, (Prefix{kEnd}));
  EXPECT_EQ(best.front()[1].tokens, (Prefix{kUnknown, kEnd}));
  const double normaliser = std::log(std::exp(9) + std::exp(8) + std::exp(2) + std::exp(1));
  EXPECT_NEAR(best.front()[0].log_probability, 2 - normaliser, 1e-5)
      << "log p is normalised over all words, also suppressed ones";
}

// For every StepScores request, with and without logits of the model; log p is always that over all words.
TEST(Search, WritesUnknownOnlyIfAllowed) {
  Index allowed = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const SearchOptions& options : {SearchOptions{.beam_size = 1},
                                         {.beam_size = 1, .scored = false},
                                         {.beam_size = 4, .n_best = 4},
                                         {.beam_size = 4, .n_best = 4, .keep = RecordedAttention::kSteps},
                                         {.beam_size = 4, .n_best = 4, .groups = 2},
                                         {.beam_size = 2, .min_length = 4, .no_repeat_ngram = 3}}) {
      FakeDecoding without_logits({{seed, 2}});
      without_logits.leave_out_logits();
      const auto best = search(without_logits, {{2}}, options).front();
      const auto same = found(FakeDecoding::Sentence{seed, 2}, options);
      ASSERT_EQ(best.size(), same.size());
      for (std::size_t i = 0; i < best.size(); ++i) {
        EXPECT_EQ(best[i].tokens, same[i].tokens);
        EXPECT_EQ(std::ranges::count(best[i].tokens, kUnknown), 0);
        if (!options.scored) continue;
        FakeDecoding decoding({{seed, 2}});
        EXPECT_EQ(force(decoding, {{best[i].tokens}}, options).front().score, best[i].score);
      }
      SearchOptions all_words = options;
      all_words.allow_unknown = true;
      for (const Hypothesis& one : found(FakeDecoding::Sentence{seed, 2}, all_words)) {
        allowed += std::ranges::count(one.tokens, kUnknown);
      }
    }
  }
  EXPECT_GT(allowed, 100);
}

TEST(Search, TiesGoToTheLowerIdAndThenToTheHigherHypothesis) {
  ConstantDecoding even(std::vector<Real>(6, 0));
  const auto best = search(even, {{1}}, {.beam_size = 3, .n_best = 3, .length_penalty = 1, .max_length = 3});
  ASSERT_EQ(best.front().size(), 3U);
  EXPECT_EQ(best.front()[0].tokens, (Prefix{kEnd}));
  EXPECT_EQ(best.front()[1].tokens, (Prefix{4, kEnd}));
}

TEST(Search, StopsAtMaxLength) {
  ConstantDecoding endless({0, 0, 0, -9, 2, 1}, 2);
  const auto best = search(endless, {{1, 40}}, {.beam_size = 2, .n_best = 2, .max_length = 20});
  EXPECT_EQ(best[0][0].tokens, Prefix(13, 4)) << "three times the source length plus ten";
  EXPECT_EQ(best[1][0].tokens, Prefix(20, 4)) << "max_length";
  EXPECT_GT(best[0][0].score, best[0][1].score);
  EXPECT_NE(best[0][1].tokens.back(), kEnd);
}

TEST(Search, MinLengthHoldsForAnySourceLength) {
  SearchOptions options{.beam_size = 2, .min_length = 15, .max_length = 20, .max_length_ratio = 0};
  EXPECT_EQ(longest_translation(1, options), 16);
  ConstantDecoding hasty({0, 0, 0, 9, 2, 1});
  Prefix expected(15, 4);
  expected.push_back(kEnd);
  EXPECT_EQ(search(hasty, {{1}}, options).front().front().tokens, expected);
  options.max_length = 16;
  EXPECT_EQ(longest_translation(100, options), 16);
}

TEST(Search, RanksCutHypothesesByScore) {
  ConstantDecoding hesitant({0, 0, 0, 1.5, 2, 1});
  const auto best = search(hesitant, {{1}}, {.beam_size = 3, .n_best = 3, .max_length = 2}).front();
  ASSERT_EQ(best.size(), 3U);
  EXPECT_EQ(best[0].tokens, (Prefix{4, 4}));
  EXPECT_FALSE(best[0].finished());
  EXPECT_EQ(best[1].tokens, (Prefix{4, kEnd}));
  EXPECT_TRUE(best[1].finished());
  EXPECT_TRUE(std::ranges::is_sorted(best, std::ranges::greater(), &Hypothesis::score));
}

// </s> has p = 0.001 at every step: the empty translation enters the beam first, and all others are cut.
TEST(Search, UnlikelyEndDoesNotBeatCutHypotheses) {
  for (const Index groups : {1, 2}) {
    ConstantDecoding endless({-20, -20, -20, std::log(Real{0.001}), std::log(Real{0.9}), std::log(Real{0.099})});
    SearchOptions options{.beam_size = 4, .n_best = 4, .max_length = 6};
    options.groups = groups;
    const auto best = search(endless, {{1}}, options).front();
    EXPECT_EQ(best.front().tokens, Prefix(6, 4));
    EXPECT_FALSE(best.front().finished());
    EXPECT_TRUE(std::ranges::is_sorted(best, std::ranges::greater(), &Hypothesis::score));
  }
}

TEST(Search, ReturnsNothingForAnEmptyBatch) {
  FakeDecoding decoding({});
  EXPECT_TRUE(search(decoding, {}, {}).empty());
  EXPECT_TRUE(force(decoding, {}, {}).empty());
  EXPECT_EQ(decoding.steps(), 0);
}

TEST(Search, FinishedSentencesLeaveTheBatch) {
  Index alone = 0;
  for (const Sentence& sentence : several_sentences()) {
    FakeDecoding decoding({sentence});
    search(decoding, {{sentence.source_length}}, {.beam_size = 4});
    alone += decoding.rows();
  }
  FakeDecoding together(several_sentences());
  search(together, {{3, 1, 5, 2, 2, 4}}, {.beam_size = 4});
  EXPECT_EQ(together.rows(), alone);
}

TEST(Search, RefusesOptionsOutOfRange) {
  FakeDecoding decoding({{1, 2}});
  const auto refused = [&](const SearchOptions& options) {
    return thrown<UsageError>([&] { search(decoding, {{2}}, options); });
  };
  EXPECT_EQ(refused({.beam_size = 0}), "search: the beam size is 0, expected 1 or more");
  EXPECT_EQ(refused({.n_best = 0}), "search: n-best is 0, expected 1 or more");
  EXPECT_EQ(refused({.beam_size = 2, .n_best = 3}), "search: n-best is 3, expected at most the beam size, 2");
  EXPECT_EQ(refused({.length_penalty = -1}), "search: the length penalty is -1, expected 0 or more");
  EXPECT_EQ(refused({.max_length = 0}), "search: the maximum length is 0, expected 1 or more");
  EXPECT_EQ(refused({.max_length_ratio = std::nan("")}), "search: the maximum length ratio is nan, expected 0 or more");
  EXPECT_EQ(refused({.candidates = -1}), "search: the number of candidates is -1, expected 0 or more");
  EXPECT_EQ(thrown<UsageError>([&] { search(decoding, {}, {}); }), "search: 0 source lengths for 1 sentences");
  EXPECT_EQ(thrown<UsageError>([&] { force(decoding, {}, {}); }), "force: 0 targets for 1 sentences");
}

TEST(Search, RefusesNanLogits) {
  ConstantDecoding spoilt({0, std::numeric_limits<Real>::quiet_NaN(), 0, 0});
  EXPECT_EQ(thrown<ModelFileError>([&] { search(spoilt, {{1}}, {}); }),
            "search: the logits are NaN; the weights hold NaN or are too large");
}

TEST(Search, StopsAtTheStepWhereThePollThrows) {
  struct SearchEnded {};
  const Sentence sentence = several_sentences().front();
  int steps = 0;
  SearchOptions options{.beam_size = 2};
  options.poll = [&] { ++steps; };
  found(sentence, options);
  ASSERT_GT(steps, 2);
  const int all = steps;
  for (int last = 1; last <= all; ++last) {
    steps = 0;
    options.poll = [&] {
      if (++steps == last) throw SearchEnded();
    };
    EXPECT_THROW(found(sentence, options), SearchEnded);
  }
}

}  // namespace
}  // namespace dhyan
