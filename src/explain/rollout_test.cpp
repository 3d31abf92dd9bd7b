#include "explain/rollout.h"

#include <gtest/gtest.h>
#include <numeric>

#include "explain/testing/example_records.h"

namespace dhyan {
namespace {

using Weights = std::vector<std::vector<Real>>;

constexpr AttentionPlace kCross = AttentionPlace::kCross, kDecoder = AttentionPlace::kDecoder,
                         kEncoder = AttentionPlace::kEncoder;

AttentionRecord record_of(AttentionPlace place, Index layer, Index head, Weights weights) {
  return {.place = place, .layer = layer, .head = head, .weights = std::move(weights)};
}

void expect_near(const Weights& found, const Weights& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].size(), expected[i].size());
    for (std::size_t j = 0; j < found[i].size(); ++j) EXPECT_NEAR(found[i][j], expected[i][j], 1e-6) << i << ',' << j;
  }
}

// A_1 = [0 1; 1 0], halved with I: [.5 .5; .5 .5]. A_2 = [1 0; .5 .5], halved with I: [1 0; .25 .75].
TEST(Rollout, MultipliesTheLayersOfAnEncoder) {
  const std::vector<AttentionRecord> records{record_of(kEncoder, 0, 0, {{0, 1}, {1, 0}}),
                                             record_of(kEncoder, 1, 0, {{1, 0}, {1, 0}}),
                                             record_of(kEncoder, 1, 1, {{1, 0}, {0, 1}})};
  expect_near(rollout(records, kEncoder, 1).weights, {{.5, .5}, {.5, .5}});
  expect_near(rollout(records, kEncoder, 2).weights, {{.5, .5}, {.5, .5}});
  const std::vector<AttentionRecord> swapped{record_of(kEncoder, 1, 0, {{0, 1}, {1, 0}}),
                                             record_of(kEncoder, 0, 0, {{1, 0}, {.5, .5}})};
  expect_near(rollout(swapped, kEncoder, 1).weights, {{1, 0}, {.25, .75}});
  expect_near(rollout(swapped, kEncoder, 2).weights, {{.625, .375}, {.625, .375}});
}

// Over [source | given]: M_0 = [0 0|1 0; 0 0|0 1].
// Self-attention, A = [1 0; .5 .5]:    M = [0 0|1 0; 0 0|.25 .75].
// Cross-attention, C = [1 0; 0 1], E = [.5 .5; 0 1]: M = [.25 .25|.5 0; 0 .5|.125 .375].
// A second layer of the same: (M + A M) / 2 = [.25 .25|.5 0; .0625 .4375|.21875 .28125],
//                             (M + C E) / 2 = [.375 .375|.25 0; .03125 .71875|...].
TEST(Rollout, GoesThroughEncoderAndDecoderForCrossAttention) {
  std::vector<AttentionRecord> records{record_of(kEncoder, 0, 0, {{0, 1}, {0, 1}})};
  for (Index layer = 0; layer < 2; ++layer) {
    records.push_back(record_of(kCross, layer, 0, {{1, 0}, {0, 1}}));
    records.push_back(record_of(kDecoder, layer, 0, {{1, 0}, {.5, .5}}));
  }
  expect_near(rollout(records, kCross, 1).weights, {{.5, .5}, {0, 1}});
  expect_near(rollout(records, kCross, 2).weights, {{.5, .5}, {.03125 / .75, .71875 / .75}});
  expect_near(rollout(records, kDecoder, 1).weights, {{1, 0}, {.25, .75}});
}

TEST(Rollout, EqualsASingleAttention) {
  const Weights weights{{.125, .875}, {.5, .5}, {1, 0}};
  expect_near(rollout(std::vector{record_of(kCross, 0, 0, weights)}, kCross, 1).weights, weights);
}

// Without records of the encoder, the source is its own rollout. M_0 = [0|1 0; 0|0 1], one source token.
TEST(Rollout, ReachesTheSourceInADecoderOnlyModel) {
  const std::vector<AttentionRecord> records{record_of(kDecoder, 0, 0, {{.5, .5, 0}, {0, 1, 0}}),
                                             record_of(kDecoder, 1, 0, {{1, 0, 0}, {0, .5, .5}})};
  expect_near(rollout(records, kDecoder, 1).weights, {{.25, .75, 0}, {0, .5, .5}});
  expect_near(rollout(records, kDecoder, 2).weights, {{.625, .375, 0}, {.0625, .5625, .375}});
}

TEST(Rollout, IsTheIdentityForIdentityAttention) {
  const Weights identity{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  std::vector<AttentionRecord> records;
  for (const AttentionPlace place : {kCross, kDecoder, kEncoder}) {
    for (Index layer = 0; layer < 3; ++layer) records.push_back(record_of(place, layer, 0, identity));
  }
  for (const AttentionPlace place : {kCross, kDecoder, kEncoder}) {
    expect_near(rollout(records, place, 3).weights, identity);
  }
}

TEST(Rollout, ConvergesToUniformForUniformAttention) {
  std::vector<AttentionRecord> records;
  for (Index layer = 0; layer < 20; ++layer) records.push_back(record_of(kEncoder, layer, 0, {{.5, .5}, {.5, .5}}));
  expect_near(rollout(records, kEncoder, 1).weights, {{.75, .25}, {.25, .75}});
  expect_near(rollout(records, kEncoder, 20).weights, {{.5, .5}, {.5, .5}});
}

TEST(Rollout, HasRowsThatSumToOne) {
  for (const bool decoder_only : {false, true}) {
    const std::vector<AttentionRecord> records =
        example_records({.layers = 3, .heads = 2, .decoder_only = decoder_only});
    for (const AttentionRecord& record : records) {
      for (const auto& row : rollout(records, record.place, 3).weights) {
        EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1, 1e-5);
      }
    }
  }
}

}  // namespace
}  // namespace dhyan
