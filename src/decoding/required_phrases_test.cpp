#include "decoding/required_phrases.h"

#include <gtest/gtest.h>

#include "core/testing/thrown.h"
#include "decoding/testing/exhaustive_search.h"

namespace dhyan {
namespace {

TEST(RequiredPhrases, CountTheMissingTokens) {
  const RequiredPhrases required({{4, 5}, {6}});
  EXPECT_EQ(required.left(Phrase{}), 3);
  EXPECT_EQ(required.left(Phrase{1, 4}), 2) << "the first phrase is begun";
  EXPECT_EQ(required.left(Phrase{1, 4, 1}), 3) << "and broken off";
  EXPECT_EQ(required.left(Phrase{1, 4, 5}), 1);
  EXPECT_EQ(required.left(Phrase{6, 4, 5, 1}), 0);
  EXPECT_EQ(RequiredPhrases({{4, 4, 5}}).left(Phrase{4, 4, 4}), 1) << "the last two tokens begin the phrase";
  EXPECT_EQ(RequiredPhrases({{4, 5}, {5, 6}}).left(Phrase{4, 5, 6}), 0) << "phrases may share words";
}

TEST(RequiredPhrases, DoNotCountIfTheNextTokenContinuesTheirLastWord) {
  const std::vector<TokenId> continuing{5, 6};
  const RequiredPhrases required({{4}, {3, 4}}, {continuing, {}});
  EXPECT_EQ(required.left(Phrase{3, 4}), 0);
  EXPECT_EQ(required.left(Phrase{3, 4, 1}), 0);
  EXPECT_EQ(required.left(Phrase{3, 4, 5}), 1) << "the first phrase is missing again";
  EXPECT_EQ(required.next(Phrase{3, 4, 5}), Phrase{4});
  EXPECT_EQ(required.left(Phrase{3, 4, 5, 4}), 0) << "and is written later";
}

TEST(RequiredPhrases, ListTheTokensThatMakeProgress) {
  const RequiredPhrases required({{4, 5}, {6}});
  EXPECT_EQ(required.next(Phrase{}), (Phrase{4, 6}));
  EXPECT_EQ(required.next(Phrase{4}), (Phrase{4, 5, 6}));
  EXPECT_EQ(required.next(Phrase{6, 4, 5}), Phrase{});
}

TEST(RequiredPhrases, EveryBankGetsAnEqualShareOfTheBeam) {
  using Places = std::vector<std::size_t>;
  EXPECT_EQ(allocate_to_banks(std::vector<Index>{2, 2, 2, 2, 1, 0}, 3), (Places{0, 4, 5}));
  EXPECT_EQ(allocate_to_banks(std::vector<Index>{2, 2, 2, 2, 1, 1}, 5), (Places{0, 1, 2, 4, 5}))
      << "the remainder goes to the bank with the fewest missing tokens";
  EXPECT_EQ(allocate_to_banks(std::vector<Index>{2, 1, 0}, 1), Places{2});
  EXPECT_EQ(allocate_to_banks(std::vector<Index>{0, 0, 0}, 2), (Places{0, 1}));
  EXPECT_EQ(allocate_to_banks({}, 2), Places{});
}

bool has_all(const Phrase& tokens, const std::vector<Phrase>& phrases) {
  return std::ranges::all_of(phrases,
                             [&](const Phrase& phrase) { return !std::ranges::search(tokens, phrase).empty(); });
}

const std::vector<std::vector<Phrase>> kCases{{{4}}, {{6, 5}}, {{4, 4}}, {{4}, {6}}, {{4, 5}, {5, 6}}};

TEST(RequiredPhrases, WideBeamEqualsExhaustiveSearch) {
  const SearchOptions options{.beam_size = 2000, .n_best = 2000, .max_length = 5};
  for (const std::vector<Phrase>& required : std::span(kCases).first(4)) {  // overlapping phrases may need fewer tokens
    for (const FakeDecoding::Sentence& sentence : several_sentences()) {
      // A phrase that ends at the maximum length leaves no room for </s>; search does not look for it.
      const auto all = exhaustive_search(
          sentence, options, [&](const Phrase& tokens) { return tokens.back() == kEnd && has_all(tokens, required); });
      std::vector<Hypothesis> best = found_for({sentence}, {{.required = required}}, options).front().best;
      std::erase_if(best, [](const Hypothesis& one) { return !one.finished(); });
      expect_found(best, all, 2000);
    }
  }
}

TEST(RequiredPhrases, AreNotFollowedByTokensThatContinueThem) {
  const std::vector<TokenId> continuing{5, 6};
  const SearchTask task{.required = {{4, 4}}, .forbidden_after_required = {continuing}};
  const RequiredPhrases required(task.required, task.forbidden_after_required);
  for (const FakeDecoding::Sentence& sentence : several_sentences()) {
    for (const Index beam : {1, 2, 5}) {
      for (const Index length : {3, 4, 5, 9}) {
        const Hypothesis best =
            found_for({sentence}, {task}, {.beam_size = beam, .max_length = length}).front().best.front();
        EXPECT_EQ(required.left(best.tokens), 0);
        EXPECT_TRUE(best.finished() || std::ssize(best.tokens) == length) << "the search does not end early";
      }
    }
  }
}

// Required phrases appear with any beam size and maximum length, even if other rules forbid their words.
TEST(RequiredPhrases, AppearWheneverTheMaximumLengthAllows) {
  for (const Index beam_size : {1, 2, 5}) {
    for (const Index max_length : {5, 6, 12}) {
      for (const std::vector<Phrase>& required : kCases) {
        SearchOptions options{.beam_size = beam_size, .n_best = beam_size, .max_length = max_length};
        options.no_repeat_ngram = 2;
        options.forbidden = {{6}};
        for (const SearchResult& found :
             found_for(several_sentences(), std::vector<SearchTask>(6, {.required = required}), options)) {
          for (const Hypothesis& one : found.best) EXPECT_TRUE(has_all(one.tokens, required));
        }
      }
    }
  }
}

TEST(RequiredPhrases, AppearAfterAGivenPrefix) {
  const SearchTask task{.prefix = {5, 5}, .required = {{4, 6}, {1}}};
  for (const Index beam_size : {1, 4}) {
    const SearchOptions options{.beam_size = beam_size, .max_length = 6};
    for (const SearchResult& found : found_for(several_sentences(), std::vector<SearchTask>(6, task), options)) {
      const Phrase& tokens = found.best.front().tokens;
      EXPECT_EQ(Phrase(tokens.begin(), tokens.begin() + 2), task.prefix);
      EXPECT_TRUE(has_all(tokens, task.required));
    }
  }
}

TEST(RequiredPhrases, AreCutAtTheMaximumLength) {
  const auto best = found_for({{1, 2}}, {{.required = {{4, 5, 6}}}}, {.beam_size = 2, .max_length = 2}).front().best;
  ASSERT_EQ(best.size(), 1U);
  EXPECT_EQ(best.front().tokens.size(), 2U);
}

// The phrases share a word; without sharing they would exceed the maximum length.
TEST(RequiredPhrases, CompleteHypothesesRankBeforeIncompleteOnes) {
  const std::vector<Phrase> required{{4, 5}, {5, 6}};
  for (const Index groups : {1, 2}) {
    SearchOptions options{.beam_size = 400, .n_best = 400, .max_length = 4};
    options.groups = groups;
    for (const FakeDecoding::Sentence& sentence : several_sentences()) {
      const auto best = found_for({sentence}, {{.required = required}}, options).front().best;
      EXPECT_TRUE(has_all(best.front().tokens, required));
      EXPECT_FALSE(has_all(best.back().tokens, required));
    }
  }
}

TEST(RequiredPhrases, RefuseAnEmptyPhrase) {
  EXPECT_EQ(thrown<UsageError>([] {
              found_for({{1, 2}}, {{.required = {{}}}}, {});
            }),
            "search: a required phrase has no words");
}

}  // namespace
}  // namespace dhyan
