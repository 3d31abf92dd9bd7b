#include "decoding/attention_trace.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "decoding/testing/fake_decoding.h"
#include "models/decoder_only.h"
#include "models/testing/tiny_recurrent.h"
#include "models/testing/tiny_transformer.h"
#include "models/transformer_model.h"

namespace dhyan {
namespace {

const std::vector<TokenId> kSource{3, 4, 5, kEnd}, kTarget{4, 3, 5, 4, kEnd};

// The traced terms add up to the recorded energies and contexts.
void expect_sums(const TranslationModel& model, std::string_view what) {
  const SourceBatch source{kSource, Segments::one(std::ssize(kSource))};
  const Hypothesis recorded =
      force(*model.decode(source), std::span(&kTarget, 1), {.keep = RecordedAttention::kSteps}).front();
  const std::vector<AttentionTrace> traces = trace_attention(*model.decode(source), kTarget);
  std::size_t number = 0;
  for (const AttentionRecord& record : recorded.attention) {
    if (record.place == AttentionPlace::kEncoder) continue;
    ASSERT_LT(number, traces.size()) << what;
    const AttentionTrace& trace = traces[number++];
    EXPECT_EQ(trace.place, record.place) << what;
    EXPECT_EQ(trace.layer, record.layer) << what;
    EXPECT_EQ(trace.head, record.head) << what;
    ASSERT_EQ(trace.query.size(), kTarget.size()) << what;
    for (std::size_t i = 0; i < kTarget.size(); ++i) {
      const std::size_t seen = record.place == AttentionPlace::kDecoder
                                   ? record.weights[i].size() - kTarget.size() + i + 1
                                   : record.weights[i].size();
      for (std::size_t j = 0; j < seen && trace.kind != EnergyTerms::Kind::kNone; ++j) {
        double e = 0;
        for (std::size_t k = 0; k < trace.term_query[i].size(); ++k) e += trace.term(i, j, k);
        EXPECT_NEAR(e, record.energy[i][j], 1e-5) << what << ' ' << i << ',' << j;
      }
      for (std::size_t k = 0; k < record.context[i].size(); ++k) {
        double c = 0;
        for (std::size_t j = 0; j < seen; ++j) c += double{record.weights[i][j]} * trace.values[j][k];
        EXPECT_NEAR(c, record.context[i][k], 1e-5) << what << ' ' << i;
      }
    }
  }
  EXPECT_EQ(number, traces.size()) << what;
  EXPECT_GT(number, 0u) << what;
}

TEST(AttentionTrace, AddsUpToTheEnergiesAndContextsOfEveryScoreOfARecurrentModel) {
  for (const ScoreEntry& score : scores()) {
    for (const Timing timing : {Timing::kBefore, Timing::kAfter}) {
      RecurrentConfig config = tiny_recurrent();
      config.directions = Directions::kForward;
      config.attention.score = score.name;
      config.timing = timing;
      expect_sums(*random_model(config), score.name);
    }
  }
}

TEST(AttentionTrace, AddsUpToTheEnergiesAndContextsOfEveryHeadOfATransformer) {
  for (const ScoreEntry& score : scores()) {
    TransformerConfig config = tiny_transformer();
    config.attention.score = score.name;
    config.attention.hidden = 4;
    expect_sums(*random_transformer(make_transformer_model, config), score.name);
  }
}

TEST(AttentionTrace, AddsUpForADecoderOnlyModel) {
  expect_sums(*random_transformer(make_decoder_only_model, tiny_transformer()), "decoder-only");
}

TEST(AttentionTrace, HasTermsForEveryScoreExceptLocation) {
  for (const ScoreEntry& score : scores()) {
    RecurrentConfig config = tiny_recurrent();
    config.directions = Directions::kForward;
    config.attention.score = score.name;
    const auto model = random_model(config);
    const AttentionTrace trace =
        trace_attention(*model->decode({kSource, Segments::one(std::ssize(kSource))}), kTarget).front();
    EXPECT_EQ(trace.kind == EnergyTerms::Kind::kNone, score.name == "location") << score.name;
    EXPECT_EQ(trace.query_name.empty(), score.name == "location") << score.name;
    EXPECT_EQ(trace.query.front().size(), 2u) << score.name;
  }
}

TEST(AttentionTrace, IsEmptyIfTheModelHasOrExposesNoAttention) {
  RecurrentConfig config = tiny_recurrent();
  config.context = ContextKind::kNone;
  const auto model = random_model(config);
  EXPECT_TRUE(trace_attention(*model->decode({kSource, Segments::one(std::ssize(kSource))}), kTarget).empty());
  FakeDecoding fake(std::vector<FakeDecoding::Sentence>(1), 1);
  EXPECT_TRUE(trace_attention(fake, kTarget).empty());
}

TEST(AttentionTrace, RefusesABatchOfSeveralSentences) {
  FakeDecoding two(std::vector<FakeDecoding::Sentence>(2));
  EXPECT_EQ(thrown<UsageError>([&] { trace_attention(two, kTarget); }),
            "trace_attention: a decoding of 2 sentences, expected 1");
}

}  // namespace
}  // namespace dhyan
