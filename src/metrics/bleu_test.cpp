#include "metrics/bleu.h"

#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

TEST(Bleu, EqualsTheFormulaOfThePaper) {
  const Bleu bleu;
  const std::vector<std::string> reference{"a b c d e f"};
  // p_n = 5/5, 3/4, 1/3, 0/2 smoothed to 1/4; BP = exp(1 - 6/5)
  const BleuScore result = bleu.scored(bleu.counts("d e f a b", reference));
  EXPECT_NEAR(result.score, 100 * std::exp(-0.2) * std::pow(1.0 * 3 / 4 * 1 / 3 * 1 / 4, 0.25), 1e-12);
  EXPECT_NEAR(result.brevity_penalty, std::exp(-0.2), 1e-15);
  EXPECT_NEAR(result.precisions[1], 75, 1e-12);
  EXPECT_EQ(result.hypothesis_length, 5);
  EXPECT_EQ(result.reference_length, 6);
}

TEST(Bleu, TakesTheNearestReferenceLengthAndTheShorterOnATie) {
  const Bleu bleu;
  const std::vector<std::string> references{"a b c d e f", "a b", "a b c d"};
  EXPECT_EQ(bleu.scored(bleu.counts("a b c d e", references)).reference_length, 4);
  EXPECT_EQ(bleu.scored(bleu.counts("a b c", references)).reference_length, 2);
  EXPECT_EQ(bleu.scored(bleu.counts("", references)).reference_length, 2);
}

TEST(Bleu, IsZeroForEmptyTexts) {
  const Bleu bleu;
  const std::vector<std::string> empty{""}, full{"a b c d"};
  EXPECT_EQ(bleu.score(bleu.counts("", empty)), 0);
  EXPECT_EQ(bleu.score(bleu.counts("", full)), 0);
  EXPECT_EQ(bleu.score(bleu.counts("a b c d", empty)), 0);
  EXPECT_EQ(bleu.details(bleu.counts("", empty)), "0.0/0.0/0.0/0.0 (BP = 1.000 ratio = 0.000 hyp_len = 0 ref_len = 0)");
}

TEST(Bleu, NeedsTheEffectiveOrderForSentencesOfFewerThanFourWords) {
  const std::vector<std::string> reference{"I am"};
  const Bleu corpus, sentence({.effective_order = true});
  EXPECT_EQ(corpus.score(corpus.counts("I am", reference)), 0);
  EXPECT_NEAR(sentence.score(sentence.counts("I am", reference)), 100, 1e-9);
}

TEST(Bleu, RefusesUnknownNames) {
  EXPECT_EQ(thrown<ConfigError>([] { Bleu({.smoothing = "add"}); }),
            "smoothing: 'add' is none of exp, none, floor, add-k");
  EXPECT_EQ(thrown<ConfigError>([] { Bleu({.tokenizer = "13b"}); }),
            "tokenize: '13b' is none of 13a, intl, zh, char, none");
}

TEST(Bleu, RefusesAValueForASmoothingWithoutOne) {
  EXPECT_EQ(thrown<ConfigError>([] { Bleu({.smoothing = "exp", .value = 0.5}); }),
            "BLEU: a value of 0.5 for the smoothing exp, which has none; floor and add-k have one");
}

}  // namespace
}  // namespace dhyan
