#include "explain/step.h"

#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/not_finite.h"
#include "core/testing/thrown.h"
#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"

namespace dhyan {
namespace {

// "मैं खाना" translated by "I eat", step by step.
class Steps : public testing::Test {
 protected:
  Steps() {
    source_ = tokenizers_.source->encode(kLine).ids;
    source_.push_back(kEnd);
    hypothesis_.tokens = tokenizers_.target->encode(kText).ids;
    hypothesis_.tokens.push_back(kEnd);
    hypothesis_.token_scores = {-0.25, -0.5, -0.125};
    AttentionRecord record;
    for (int i = 0; i < 3; ++i) {
      record.energy.push_back({0, static_cast<Real>(std::log(2.0)), static_cast<Real>(std::log(5.0))});
      record.weights.push_back({0.125, 0.25, 0.625});
      record.context.push_back({3, -4, 0});
      hypothesis_.candidates.push_back(
          {{hypothesis_.tokens[1], std::log(0.75)}, {hypothesis_.tokens[0], std::log(0.125)}});
    }
    hypothesis_.attention = {record};
  }

  AttentionRecord& record() { return hypothesis_.attention.front(); }
  std::string step(Index step, bool full = false) const {
    return step_in_numbers({kLine, kText, source_, hypothesis_, context_vector_}, tokenizers_, {step, full, choice_});
  }
  // Two layers of two heads at each place. Head 2 of layer 1 has other weights in step 1; the decoder is causal.
  void become_a_transformer() {
    const AttentionRecord cross = record();
    hypothesis_.attention.clear();
    for (const AttentionPlace place : {AttentionPlace::kCross, AttentionPlace::kDecoder, AttentionPlace::kEncoder}) {
      for (Index i = 0; i < 4; ++i) {
        hypothesis_.attention.push_back(cross);
        hypothesis_.attention.back().place = place;
        hypothesis_.attention.back().layer = i / 2;
        hypothesis_.attention.back().head = i % 2;
      }
    }
    hypothesis_.attention[1].weights[0] = {0, 0.75, 0.25};
    for (AttentionRecord& own : std::span(hypothesis_.attention).subspan(4, 4)) {
      const Real none = -static_cast<Real>(kInfinity);
      own.weights = {{1, 0, 0}, {0.25, 0.75, 0}, {0.125, 0.25, 0.625}};
      own.energy = {{0, none, none}, {0, static_cast<Real>(std::log(3.0)), none}, own.energy[2]};
    }
  }
  static bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

  static constexpr std::string_view kLine = "मैं खाना", kText = "I eat";
  const TokenizerPair tokenizers_ = pair_trained_on<WordTokenizer>(kLine, kText);
  std::vector<TokenId> source_;
  Hypothesis hypothesis_;
  std::vector<Real> context_vector_;
  AttentionChoice choice_;
};

TEST_F(Steps, NameTheCellsOfAPicture) {
  const std::vector<std::string> cells{"1,1", "1,2", "1,3"};
  const std::vector<TokenId> number{7};
  const std::string text = step_in_numbers(
      {.line = "photo.jpg", .text = kText, .source_tokens = number, .hypothesis = hypothesis_, .cells = cells},
      tokenizers_, {.step = 2});
  EXPECT_TRUE(has(text, "α_2j  cell: row,column\n")) << text;
  EXPECT_TRUE(has(text, "0.2500  1,2\n")) << text;
}

TEST_F(Steps, MatchTheGoldenText) {
  EXPECT_EQ(step(2),
            "Step 2 of 3: after \"I\" the model writes \"eat\", log p = -0.5000 (p = 0.607)\n"
            "\n"
            "Energies e_2j, and weights α_2j = exp(e_2j) / Σ\n"
            "   j          e_2j           exp          α_2j  source\n"
            "   1        0.0000             1        0.1250  मैं\n"
            "   2        0.6931             2        0.2500  खाना\n"
            "   3        1.6094             5        0.6250  </s>\n"
            "   Σ                           8        1.0000\n"
            "The greatest: α_23 = 5 / 8 = 0.6250\n"
            "\n"
            "Context c_2 = Σ_j α_2j h_j: 3 values, norm 5.0000\n"
            "    3.0000   -4.0000    0.0000\n"
            "\n"
            "The best of 6 tokens, by softmax of the output layer\n"
            "    p = 0.7500  log p =   -0.2877  eat  <- written\n"
            "    p = 0.1250  log p =   -2.0794  I\n");
}

TEST_F(Steps, RunFromOneToTheNumberOfTokens) {
  EXPECT_TRUE(has(step(1), "after \"\" the model writes \"I\""));
  EXPECT_TRUE(has(step(3), "after \"I eat\" the model writes \"</s>\""));
  for (const Index wrong : {-1, 0, 4}) {
    EXPECT_EQ(thrown<UsageError>([&] { step(wrong); }),
              cat("explain: there is no step ", wrong, "; the translation has 3, one for each token"));
  }
}

TEST_F(Steps, SubtractTheGreatestOfLargeEnergies) {
  for (Real& energy : record().energy[0]) energy += 100;
  const std::string text = step(1);
  EXPECT_TRUE(has(text, "exp(e_1j - 101.6094) / Σ")) << text;
  EXPECT_TRUE(has(text, "100.6931           0.4        0.2500")) << text;
  for (Real& energy : record().energy[0]) energy -= 200;
  EXPECT_TRUE(has(step(1), "exp(e_1j + 98.3906) / Σ")) << step(1);
}

TEST_F(Steps, MarkPositionsOutsideTheWindow) {
  record().weights[0] = {0, static_cast<Real>(2.0 / 7), static_cast<Real>(5.0 / 7)};
  const std::string text = step(1);
  EXPECT_TRUE(has(text, "   Σ                           7        1.0000\nPositions without exp are outside")) << text;
  EXPECT_TRUE(has(text, "             –        0.0000  ")) << "no exp\n" << text;
  EXPECT_TRUE(has(text, "α_13 = 5 / 7 = 0.7143")) << text;
  EXPECT_FALSE(has(step(2), "outside"));
}

TEST_F(Steps, ShowTheSoftmaxBehindHardAttention) {
  record().weights[0] = {0, 0, 1};
  const std::string text = step(1);
  EXPECT_TRUE(has(text, "             5        0.6250        1.0000")) << text;
  EXPECT_FALSE(has(text, "outside")) << text;
}

TEST_F(Steps, ShowTheSoftmaxIfAWindowChangesTheWeights) {
  record().weights[0] = {0.125, 0.25, 0.25};
  const std::string text = step(1);
  EXPECT_TRUE(has(text, "           exp       exp / Σ          α_1j")) << text;
  EXPECT_TRUE(has(text, "             5        0.6250        0.2500")) << text;
  EXPECT_TRUE(has(text, "after the model's window\n")) << text;
}

TEST_F(Steps, HandleInfiniteEnergies) {
  record().energy[0] = {-kInfinity, 0, 0};
  record().weights[0] = {0, 0.5, 0.5};
  EXPECT_TRUE(has(step(1), "   1             –             0        0.0000  मैं\n")) << step(1);
}

TEST_F(Steps, CutLongVectorsUnlessFullIsSet) {
  record().context[0].assign(20, 1);
  EXPECT_TRUE(has(step(1), "    1.0000\n    and 12 more\n"));
  const std::string all = step(1, true);
  EXPECT_FALSE(has(all, "more"));
  EXPECT_TRUE(has(all, "    1.0000    1.0000    1.0000    1.0000\n\nThe best")) << all;
}

TEST_F(Steps, NameLayerAndHead) {
  hypothesis_.attention.push_back(record());
  hypothesis_.attention.back().head = 1;
  EXPECT_TRUE(has(step(1), "\nIn cross-attention, layer 1, head 2\n"));
}

TEST_F(Steps, ShowLayersSideBySideAndOneHeadInFull) {
  become_a_transformer();
  choice_.summary = Summary::kMean;
  const std::string text = step(1);
  EXPECT_TRUE(has(text,
                  "\nWeights α_1j of cross-attention, the mean over heads\n"
                  "   j   layer 1   layer 2      mean  source\n"
                  "   1    0.0625    0.1250    0.0938  मैं\n"
                  "   2    0.5000    0.2500    0.3750  खाना\n"
                  "   3    0.4375    0.6250    0.5312  </s>\n"
                  "\nIn cross-attention, layer 2, head 1\n"))
      << text;
  EXPECT_EQ(text.find("Context"), text.rfind("Context"));
  EXPECT_TRUE(has(text, "Σ_j α_1j v_j")) << text;
}

TEST_F(Steps, ShowTheHeadsOfALayerSideBySide) {
  become_a_transformer();
  choice_ = {.layer = 1, .summary = Summary::kMean};
  const std::string text = step(1);
  EXPECT_TRUE(has(text, "cross-attention, layer 1\n   j    head 1    head 2      mean  source\n")) << text;
  EXPECT_TRUE(has(text, "   1    0.1250    0.0000    0.0625  मैं\n")) << text;
}

TEST_F(Steps, ShowEveryChosenHead) {
  become_a_transformer();
  choice_.layer = 2;
  EXPECT_FALSE(has(step(1), "\nWeights"));
  EXPECT_TRUE(has(step(1), "\nIn cross-attention, layer 2, head 1\n"));
  EXPECT_TRUE(has(step(1), "\nIn cross-attention, layer 2, head 2\n"));
  choice_.head = 2;
  EXPECT_FALSE(has(step(1), "head 1"));
}

TEST_F(Steps, ShowDecoderSelfAttentionOverItsInput) {
  become_a_transformer();
  choice_ = {.places = {AttentionPlace::kDecoder}, .layer = 1, .head = 1};
  const std::string text = step(2);
  EXPECT_TRUE(has(text,
                  "α_2j  given\n"
                  "   1        0.0000             1        0.2500  <s>\n"
                  "   2        1.0986             3        0.7500  I\n"
                  "   Σ                           4        1.0000\n"))
      << text;
}

TEST_F(Steps, IncludeTheSourceForADecoderOnlyModel) {
  become_a_transformer();
  hypothesis_.attention = {hypothesis_.attention[4]};
  record().weights[0] = {0.25, 0, 0, 0.75, 0, 0};
  record().energy[0] = {0, -30, -30, static_cast<Real>(std::log(3.0)), 0, 0};
  for (const std::size_t i : {1u, 2u}) {
    record().weights[i].resize(6);
    record().energy[i].resize(6);
  }
  const std::string text = step(1);
  EXPECT_TRUE(has(text, "0.2500  मैं\n")) << text;
  EXPECT_TRUE(has(text, "   4        1.0986             3        0.7500  <s>\n   Σ")) << text;
}

TEST_F(Steps, RefuseTheEncoderAndRollout) {
  become_a_transformer();
  choice_.places = {AttentionPlace::kCross, AttentionPlace::kEncoder};
  EXPECT_FALSE(has(step(1), "encoder"));
  choice_.places = {AttentionPlace::kEncoder};
  EXPECT_EQ(thrown<UsageError>([&] { step(1); }),
            "explain: the encoder has no steps; choose cross or decoder attention");
  choice_ = {.summary = Summary::kRollout};
  EXPECT_EQ(thrown<UsageError>([&] { step(1); }),
            "explain: rollout covers the whole translation; it cannot show one step");
}

TEST_F(Steps, ShowTheContextVectorOfAModelWithoutAttention) {
  hypothesis_.attention.clear();
  context_vector_ = {3, -4};
  const std::string text = step(1);
  EXPECT_TRUE(has(text, "one vector of 2 values")) << text;
  EXPECT_TRUE(has(text, "    3.0000   -4.0000\n")) << text;
  EXPECT_TRUE(has(text, "p = 0.7500")) << text;
  EXPECT_FALSE(has(text, "α"));
}

TEST_F(Steps, RequireRecordedSteps) {
  const std::string message =
      "step_in_numbers: the steps of this translation were not recorded; search with RecordedAttention::kSteps";
  record().energy.clear();
  EXPECT_EQ(thrown<UsageError>([&] { step(1); }), message);
  hypothesis_.attention.clear();
  hypothesis_.candidates.clear();
  EXPECT_EQ(thrown<UsageError>([&] { step(1); }), message);
}

}  // namespace
}  // namespace dhyan
