#include "metrics/coco_bleu.h"

#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

double bleu(Index order, std::string_view hypothesis, const std::vector<std::string>& references) {
  const CocoBleu metric(order);
  return metric.score(metric.counts(hypothesis, references));
}

TEST(CocoBleu, EqualsTheFormulaOfThePaper) {
  const std::vector<std::string> references{"a b c d e f", "x y"};
  // p_n = 5/5, 3/4; BP = exp(1 - 6/5)
  EXPECT_NEAR(bleu(1, "D E F, a b !", references), 100 * std::exp(-0.2), 1e-6);
  EXPECT_NEAR(bleu(2, "D E F, a b !", references), 100 * std::exp(-0.2) * std::sqrt(0.75), 1e-6);
}

TEST(CocoBleu, ClipsMatchesByTheLargestCountInAnyReference) {
  EXPECT_NEAR(bleu(1, "the the the the", {"the cat", "the dog and the"}), 50, 1e-6);
}

TEST(CocoBleu, IsAlmostZeroWithoutAMatch) {
  for (Index order = 1; order <= 4; ++order) {
    EXPECT_LT(bleu(order, "x", {"a b c d"}), 1e-3) << order;
    EXPECT_LT(bleu(order, "", {"a b c d"}), 1e-3) << order;
    EXPECT_FALSE(std::isnan(bleu(order, "", {""}))) << order;
  }
}

TEST(CocoBleu, IsNamedCocoBleu) {
  EXPECT_EQ(CocoBleu(4).name(), "COCO BLEU-4");
  EXPECT_EQ(CocoBleu(4).settings(), "case:lc|tok:ptb");
  EXPECT_EQ(thrown<ConfigError>([] { CocoBleu(5); }), "COCO BLEU: n-grams of 5 words; expected 1 to 4");
}

}  // namespace
}  // namespace dhyan
