#include "explain/explanation.h"

#include <gtest/gtest.h>

#include "explain/html.h"
#include "explain/terminal.h"
#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"

namespace dhyan {
namespace {

TEST(Explain, CollectsTheScoresAndAttentionOfATranslation) {
  const TokenizerPair tokenizers = pair_trained_on<WordTokenizer>("क ख", "x");
  std::vector<TokenId> source = tokenizers.source->encode("क ख").ids;
  source.push_back(kEnd);
  Hypothesis hypothesis;
  hypothesis.tokens = {tokenizers.target->encode("x").ids.front(), kEnd};
  hypothesis.token_scores = {-1, -2};
  hypothesis.log_probability = -3;
  hypothesis.attention = {{.weights = {{1, 0, 0}, {0, 0, 1}}}};
  const Explanation explained = explain({"क ख", "x", source, hypothesis}, tokenizers, {});
  EXPECT_EQ(explained.source, "क ख");
  EXPECT_EQ(explained.translation, "x");
  EXPECT_EQ(explained.log_probability, -3);
  EXPECT_EQ(explained.source_units, (std::vector<std::string>{"क", "ख", "</s>"}));
  EXPECT_EQ(explained.target_units, (std::vector<std::string>{"x", "</s>"}));
  EXPECT_EQ(explained.target_scores, hypothesis.token_scores);
  ASSERT_EQ(explained.maps.size(), 1u);
  EXPECT_EQ(explained.maps.front().weights[1], (std::vector<double>{0, 0, 1}));
  EXPECT_TRUE(explained.context_vector.empty());

  hypothesis.attention.clear();
  const std::vector<Real> context_vector{1, 2};
  const Explanation fixed =
      explain({"क ख", "x", source, hypothesis, context_vector}, tokenizers, {.units = Units::kSubwords});
  EXPECT_TRUE(fixed.maps.empty());
  EXPECT_EQ(fixed.context_vector, (std::vector<double>{1, 2}));
  EXPECT_EQ(fixed.units, Units::kSubwords);
}

TEST(Explain, NeedsNoSourceForALanguageModel) {
  const TokenizerPair tokenizers = pair_trained_on<WordTokenizer>("x y", "x y");
  Hypothesis read;
  read.tokens = tokenizers.target->encode("x y").ids;
  read.token_scores = {-1, -2};
  read.attention = {{.place = AttentionPlace::kDecoder, .weights = {{1, 0}, {.25, .75}}}};
  const Explanation explained = explain({"", "x y", {}, read}, tokenizers, {});
  ASSERT_EQ(explained.maps.size(), 1u);
  EXPECT_EQ(explained.maps.front().columns, (std::vector<std::string>{"<s>", "x"}));
  EXPECT_EQ(explained.maps.front().rows, (std::vector<std::string>{"x", "y"}));
  EXPECT_TRUE(to_text(explained, {}).starts_with("x y\nlog p"));
  EXPECT_NE(to_html(explained).find("<title>x y</title>"), std::string::npos);
}

}  // namespace
}  // namespace dhyan
