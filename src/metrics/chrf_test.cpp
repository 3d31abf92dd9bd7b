#include "metrics/chrf.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace dhyan {
namespace {

TEST(Chrf, EqualsTheFormulaOfThePaper) {
  const Chrf chrf({.character_order = 2});
  const std::vector<std::string> reference{"ab c"};
  // Characters a b d of abc: P = 2/3, R = 2/3; pairs ab bd of ab bc: P = 1/2, R = 1/2.
  const double mean = (2.0 / 3 + 1.0 / 2) / 2;
  EXPECT_NEAR(chrf.score(chrf.counts("a bd", reference)), 100 * mean, 1e-12);
}

TEST(Chrf, TakesTheReferenceThatGivesTheBestScore) {
  const Chrf chrf;
  EXPECT_NEAR(chrf.score(chrf.counts("खाना", std::vector<std::string>{"पानी", "खाना"})), 100, 1e-12);
}

TEST(Chrf, RefusesOrdersWithoutNgrams) {
  EXPECT_THROW(Chrf({.character_order = 0}), ConfigError);
  EXPECT_THROW(Chrf({.word_order = -1}), ConfigError);
  EXPECT_THROW(Chrf({.beta = 0}), ConfigError);
}

}  // namespace
}  // namespace dhyan
