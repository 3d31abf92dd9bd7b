#include "data/batch.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/rng.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

using Ids = std::vector<TokenId>;

Batch three() {
  static const Ids a{5, 3}, b{6, 7, 3}, c{8, 9, 10, 3}, d{3};
  return make_batch(std::vector<Example>{{a, b, 20}, {c, d, 21}, {d, a, 22}});
}

TEST(Batch, ConcatenatesSentences) {
  const Batch batch = three();
  EXPECT_EQ(batch.source, (Ids{5, 3, 8, 9, 10, 3, 3}));
  EXPECT_EQ(batch.target, (Ids{6, 7, 3, 3, 5, 3}));
  EXPECT_EQ(batch.source_segments, Segments::from_lengths({2, 4, 1}));
  EXPECT_EQ(batch.target_segments, Segments::from_lengths({3, 1, 2}));
  EXPECT_EQ(batch.numbers, (std::vector<std::uint64_t>{20, 21, 22}));
  EXPECT_EQ(make_batch({}).sentences(), 0);
}

TEST(Batch, KeepsLinksWithTheirSentences) {
  const Ids a{5, 3}, b{6, 7, 3};
  const std::vector<TokenLink> one{{0, 0}, {1, 2}}, other{{1, 1}};
  const Batch batch = make_batch(std::vector<Example>{{a, b, 1, one}, {b, a, 2}, {a, a, 3, other}});
  EXPECT_EQ(batch.links, (std::vector<TokenLink>{{0, 0}, {1, 2}, {1, 1}}));
  EXPECT_EQ(batch.link_segments, Segments::from_lengths({2, 0, 1}));
  for (const Batch& shard : cut_into_shards(batch, 2)) {
    for (Index i = 0; i < shard.sentences(); ++i) {
      const Example example = example_of(shard, i);
      const std::span<const TokenLink> expected = example.number == 1 ? one : std::span<const TokenLink>();
      if (example.number == 3) {
        EXPECT_TRUE(std::ranges::equal(example.links, other));
      } else {
        EXPECT_TRUE(std::ranges::equal(example.links, expected)) << example.number;
      }
    }
  }
}

TEST(Batch, ShiftsTheTargetsForTheDecoder) {
  EXPECT_EQ(decoder_inputs(three()), (Ids{2, 6, 7, 2, 2, 5}));
  EXPECT_TRUE(decoder_inputs(make_batch({})).empty());
}

TEST(Batch, IsSplitIntoShardsOfEqualSize) {
  Rng rng(1);
  std::vector<Ids> sides;
  for (int i = 0; i < 200; ++i) sides.emplace_back(1 + rng.below(20), static_cast<TokenId>(4 + i));
  std::vector<Example> examples;
  for (std::size_t i = 0; i < 100; ++i) examples.push_back({sides[2 * i], sides[2 * i + 1], i});
  const Batch batch = make_batch(examples);
  const std::vector<Batch> shards = cut_into_shards(batch, 3);
  ASSERT_EQ(shards.size(), 3U);
  std::vector<int> seen(100);
  std::size_t least = batch.source.size() + batch.target.size(), most = 0;
  for (const Batch& shard : shards) {
    least = std::min(least, shard.source.size() + shard.target.size());
    most = std::max(most, shard.source.size() + shard.target.size());
    EXPECT_TRUE(std::ranges::is_sorted(shard.numbers));
    for (Index b = 0; b < shard.sentences(); ++b) {
      const Example found = example_of(shard, b), whole = example_of(batch, static_cast<Index>(found.number));
      EXPECT_TRUE(std::ranges::equal(found.source, whole.source) && std::ranges::equal(found.target, whole.target));
      ++seen[found.number];
    }
  }
  EXPECT_EQ(seen, std::vector<int>(100, 1));
  EXPECT_LE(most - least, 2U);
  EXPECT_EQ(cut_into_shards(batch, 3), shards);
}

TEST(Batch, MayHaveFewerSentencesThanShards) {
  const std::vector<Batch> shards = cut_into_shards(three(), 5);
  ASSERT_EQ(shards.size(), 5U);
  EXPECT_EQ(shards[3].sentences(), 0);
  EXPECT_EQ(cut_into_shards(three(), 1).front(), three());
  EXPECT_EQ(thrown<ConfigError>([] { cut_into_shards(three(), 0); }), "cut_into_shards: 0 shards, expected at least 1");
}

TEST(BatchEnds, ObeyBothLimits) {
  const std::vector<ExampleSize> sizes = {{2, 2}, {2, 1}, {1, 3}, {9, 1}, {1, 1}, {1, 1}, {1, 1}};
  EXPECT_EQ(batch_ends(sizes, {5, 10}),
            (std::vector<std::size_t>{2, 3, 4, 7}));  // the fourth exceeds the limit and is alone
  EXPECT_EQ(batch_ends(sizes, {100, 3}), (std::vector<std::size_t>{3, 6, 7}));
  EXPECT_EQ(batch_ends(sizes, {100, 1}).size(), 7U);
  EXPECT_TRUE(batch_ends({}, {5, 10}).empty());
  EXPECT_EQ(thrown<ConfigError>([&] {
              batch_ends(sizes, {0, 3});
            }),
            "batches: at most 0 tokens and 3 sentences, expected at least 1 of each");
}

}  // namespace
}  // namespace dhyan
