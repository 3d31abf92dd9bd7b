#include "decoding/word_rules.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "core/testing/thrown.h"
#include "decoding/testing/exhaustive_search.h"

namespace dhyan {
namespace {

// A beam wide enough for every hypothesis.
SearchOptions wide() { return {.beam_size = 400, .n_best = 20, .max_length = 4}; }

// Search finds exactly the translations for which `fits` holds, by score.
void expect_exact(const SearchOptions& options, const SearchTask& task, const Fits& fits) {
  for (const FakeDecoding::Sentence& sentence : several_sentences()) {
    const std::vector<Hypothesis> best = found_for({sentence}, {task}, options).front().best;
    expect_found(best, exhaustive_search(sentence, options, fits), 20);
  }
}

bool has_part(const Phrase& tokens, const Phrase& part) { return !std::ranges::search(tokens, part).empty(); }

TEST(WordRules, MinimumLengthCountsTheTokensBeforeTheEnd) {
  SearchOptions options = wide();
  options.min_length = 2;
  expect_exact(options, {}, [](const Phrase& tokens) { return tokens.size() >= 3; });
}

TEST(WordRules, NGramsDoNotRepeat) {
  for (const Index n : {1, 2}) {
    SearchOptions options = wide();
    options.no_repeat_ngram = n;
    expect_exact(options, {}, [n](const Phrase& tokens) {
      std::set<Phrase> seen;
      for (Index i = 0; i + n <= std::ssize(tokens); ++i) {
        if (!seen.insert({tokens.begin() + i, tokens.begin() + i + n}).second) return false;
      }
      return true;
    });
  }
}

TEST(WordRules, ForbiddenPhrasesDoNotOccur) {
  SearchOptions options = wide();
  options.forbidden = {{4}, {5, 6}};
  expect_exact(options, {}, [](const Phrase& tokens) { return !has_part(tokens, {4}) && !has_part(tokens, {5, 6}); });
}

TEST(WordRules, TranslationsBeginWithTheGivenPrefix) {
  SearchOptions options = wide();
  options.forbidden = {{5}};
  expect_exact(options, {.prefix = {5, 4}}, [](const Phrase& tokens) {
    return tokens[0] == 5 && tokens[1] == 4 && !has_part({tokens.begin() + 2, tokens.end()}, {5});
  });
}

TEST(WordRules, TokensForbiddenAfterThePrefixMayOccurLater) {
  const Phrase forbidden_after{4, 6};
  SearchOptions options = wide();
  options.max_length = 5;
  const SearchTask task{.prefix = {5, 4}, .forbidden_after_prefix = forbidden_after};
  expect_exact(options, task, [](const Phrase& tokens) {
    return tokens[0] == 5 && tokens[1] == 4 && (tokens.size() < 3 || tokens[2] == 5 || tokens[2] == kEnd);
  });
  SearchTask required = task;
  required.required = {{6}};
  for (const SearchResult& one : found_for(several_sentences(), std::vector<SearchTask>(6, required), options)) {
    EXPECT_EQ(one.best.front().tokens[2], 5);
    EXPECT_TRUE(has_part(one.best.front().tokens, {6})) << "a required phrase need not follow the prefix at once";
  }
}

TEST(WordRules, OnlyWordsOfTheShortlistOccur) {
  expect_exact(wide(), {.vocabulary = {1, 6}}, [](const Phrase& tokens) {
    return std::ranges::all_of(tokens, [](TokenId token) { return token == 1 || token == 6 || token == kEnd; });
  });
}

TEST(WordRules, GreedySearchTakesTheLikeliestAllowedWord) {
  const SearchOptions options{.beam_size = 1, .max_length = 12, .no_repeat_ngram = 1};
  for (const FakeDecoding::Sentence& sentence : several_sentences()) {
    const Phrase tokens = found(sentence, options).front().tokens;
    Phrase prefix;
    for (const TokenId token : tokens) {
      for (const TokenId other : {3, 4, 5, 6}) {
        if (std::ranges::find(prefix, other) != prefix.end()) continue;
        EXPECT_LE(FakeDecoding::log_probability(sentence, prefix, other),
                  FakeDecoding::log_probability(sentence, prefix, token));
      }
      prefix.push_back(token);
    }
  }
}

TEST(WordRules, TranslationsAreCutWhereNoWordIsAllowed) {
  const SearchOptions options{.beam_size = 2, .n_best = 2, .min_length = 6, .max_length = 9, .no_repeat_ngram = 1};
  for (const FakeDecoding::Sentence& sentence : several_sentences()) {
    const std::vector<Hypothesis> best = found(sentence, options);
    ASSERT_FALSE(best.empty());
    EXPECT_EQ(best.front().tokens.size(), 3U) << "the vocabulary has three words";
    EXPECT_NE(best.front().tokens.back(), kEnd);
  }
}

TEST(WordRules, DoNotChangeTheScores) {
  const SearchOptions options{.beam_size = 3, .max_length = 9, .no_repeat_ngram = 1, .forbidden = {{4}}};
  const Hypothesis best = found(FakeDecoding::Sentence{3, 2}, options).front();
  FakeDecoding decoding({{3, 2}});
  expect_same(force(decoding, {{best.tokens}}, options).front(), best);
}

TEST(WordRules, RefuseATokenOutsideOfTheVocabulary) {
  EXPECT_EQ(thrown<UsageError>([] {
              found_for({{1, 2}}, {{.prefix = {7}}}, {});
            }),
            "search: token 7 is outside of a vocabulary of 7");
  EXPECT_EQ(thrown<UsageError>([] {
              found(FakeDecoding::Sentence{1, 2}, {.forbidden = {{7}}});
            }),
            "search: token 7 is outside of a vocabulary of 7");
}

}  // namespace
}  // namespace dhyan
