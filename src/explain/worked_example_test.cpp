#include "explain/worked_example.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>

#include "explain/number_format.h"
#include "explain/testing/without_colour.h"
#include "text/display.h"

namespace dhyan {
namespace {

TEST(WorkedExample, HasTheExpectedWeightsToFourDecimals) {
  const SelfAttentionExample example = self_attention_example();
  const double expected[3][3] = {{.4231, .2697, .3072}, {.1487, .6466, .2047}, {.2728, .4543, .2728}};
  for (Index i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(example.left.weights.row(i)[j], expected[i][j], 5e-5) << i << ',' << j;
  }
}

TEST(WorkedExample, HasTheExpectedKeys) {
  const SelfAttentionExample example = self_attention_example();
  const Real expected[] = {.9f, .1f, .1f, .2f, 1.8f, .2f, .5f, .5f, .1f};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(example.left.K.span()[i], expected[i], 1e-6);
}

TEST(WorkedExample, ContextsAreTheWeightedEmbeddings) {
  const SelfAttentionExample example = self_attention_example();
  for (Index i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      double c = 0;
      for (Index j = 0; j < 3; ++j)
        c += double{example.left.weights.row(i)[static_cast<std::size_t>(j)]} * example.X.row(j)[k];
      EXPECT_NEAR(example.left.context.row(i)[k], c, 1e-6);
    }
  }
}

// By hand: X W_k doubles the second column of X, and e_ij = x_i · k_j.
TEST(WorkedExample, IncludesTheUsualOrder) {
  const SelfAttended usual = self_attention_example().right;
  const double keys[] = {.9, .2, .1, .1, 1.8, .1, .5, 1, .1};
  const double energies[] = {.84, .28, .56, .28, 1.64, .96, .56, .96, .76};
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_NEAR(usual.K.span()[i], keys[i], 1e-6);
    EXPECT_NEAR(usual.energy.span()[i], energies[i], 1e-6);
  }
  EXPECT_NEAR(usual.weights.row(0)[0], 0.4297, 5e-5);
}

TEST(WorkedExample, SaysWhichOrderIsUsual) {
  const std::string text = to_text(self_attention_example(), Colour::kNo);
  for (const char* part :
       {"W X, multiplied from the left as in the text", "X W, the usual order and that of every model",
        "  K = W_k X                               K = X W_k\n",
        "  next      0.2  1.8  0.2                 next      0.1  1.8  0.1\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
  }
}

TEST(WorkedExample, NamesTheValuesAndHeadsTheContextsByTheirOwnEquation) {
  const std::string text = to_text(self_attention_example(), Colour::kNo);
  EXPECT_NE(text.find("with W_v = I: V = W_v X = X W_v = X"), std::string::npos) << text;
  const std::size_t heading = text.find("  C = α V                                 C = α V\n");
  ASSERT_NE(heading, std::string::npos) << text;
  const Real first = self_attention_example().left.context.row(0)[0];
  EXPECT_TRUE(text.substr(text.find('\n', heading) + 1).starts_with("  the       " + fixed(first, 4)))
      << text.substr(heading);
}

TEST(WorkedExample, FitsATerminalOf90Columns) {
  std::istringstream lines(to_text(self_attention_example(), Colour::kNo));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 90) << line;
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
