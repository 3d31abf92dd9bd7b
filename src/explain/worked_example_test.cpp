#include "explain/worked_example.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "explain/without_colour.h"

namespace dhyan {
namespace {

TEST(WorkedExample, ComesOutToFourDecimals) {
  const SelfAttentionExample example = self_attention_example();
  const double expected[3][3] = {{.4231, .2697, .3072}, {.1487, .6466, .2047}, {.2728, .4543, .2728}};
  for (Index i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(example.weights.row(i)[j], expected[i][j], 5e-5) << i << ',' << j;
  }
}

TEST(WorkedExample, HasTheKeysOfTheText) {
  const SelfAttentionExample example = self_attention_example();
  const Real expected[] = {.9f, .1f, .1f, .2f, 1.8f, .2f, .5f, .5f, .1f};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(example.K.span()[i], expected[i], 1e-6);
}

TEST(WorkedExample, ContextsAreTheWeightedEmbeddings) {
  const SelfAttentionExample example = self_attention_example();
  for (Index i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      double c = 0;
      for (Index j = 0; j < 3; ++j)
        c += double{example.weights.row(i)[static_cast<std::size_t>(j)]} * example.X.row(j)[k];
      EXPECT_NEAR(example.context.row(i)[k], c, 1e-6);
    }
  }
}

TEST(WorkedExample, TextShowsTheWeightsAndWhatAttendsToWhat) {
  const std::string text = to_text(self_attention_example(), Colour::kNo);
  EXPECT_NE(text.find("0.4231  0.2697  0.3072"), std::string::npos) << text;
  EXPECT_NE(text.find("0.1487  0.6466  0.2047"), std::string::npos) << text;
  EXPECT_NE(text.find("0.2728  0.4543  0.2728"), std::string::npos) << text;
  EXPECT_NE(text.find("\"the\" attends most to \"the\""), std::string::npos);
  EXPECT_NE(text.find("\"next\" attends most to \"next\""), std::string::npos);
  EXPECT_NE(text.find("\"is\" attends most to \"next\""), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(WorkedExample, ColourChangesNothingButColour) {
  const SelfAttentionExample example = self_attention_example();
  const std::string coloured = to_text(example, Colour::kYes);
  ASSERT_NE(coloured.find('\x1b'), std::string::npos);
  EXPECT_EQ(without_colour(coloured), to_text(example, Colour::kNo));
}

}  // namespace
}  // namespace dhyan
