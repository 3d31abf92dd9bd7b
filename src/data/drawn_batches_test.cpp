// Batches of corpora that are drawn, and batches whose sources are pictures.

#include <gtest/gtest.h>
#include <set>

#include "core/testing/thrown.h"
#include "data/batch_stream.h"
#include "data/picture_names.h"
#include "data/testing/fake_pictures.h"
#include "data/testing/number_corpus.h"
#include "data/testing/test_corpus.h"

namespace dhyan {
namespace {

// Picture 1000 * pass + number, its number as the first word of the target, and a link of each word to a cell.
class DrawnNumbers final : public DrawnCorpus {
 public:
  explicit DrawnNumbers(Index pairs, std::uint64_t fingerprint = 1) : pairs_(pairs), fingerprint_(fingerprint) {}

  Index pairs() const override { return pairs_; }
  Index tokens() const override { return 6 * pairs_; }
  std::uint64_t fingerprint() const override { return fingerprint_; }
  void draw(std::uint64_t pass, Index number, Pair& pair) const override {
    pair.source = {picture(pass, number)};
    pair.target.clear();
    pair.links.clear();
    for (Index word = 0; word <= number % 7; ++word) {
      pair.target.push_back(static_cast<TokenId>(10 + number + word));
      pair.links.push_back({static_cast<RowId>(number % 3), static_cast<RowId>(word)});
    }
  }
  static TokenId picture(std::uint64_t pass, Index number) {
    return static_cast<TokenId>(1000 * pass + static_cast<std::uint64_t>(number));
  }

 private:
  Index pairs_;
  std::uint64_t fingerprint_;
};

std::shared_ptr<const PictureSource> fake_pictures() { return std::make_shared<FakePictures>(GridShape{4, 4}); }

// Several buffers, several batches each.
BatchOptions picture_options(std::shared_ptr<const PictureSource> pictures, int threads = 1, std::uint64_t seed = 1) {
  return {seed, {64, 20}, 700, threads, std::move(pictures)};
}

BatchStream drawn_stream(const BatchOptions& options, std::uint64_t fingerprint = 1) {
  std::vector<TrainingCorpus> corpora;
  corpora.push_back({.cache = nullptr, .drawn = std::make_shared<DrawnNumbers>(500, fingerprint)});
  return {std::move(corpora), options};
}

std::vector<Batch> next_epoch(BatchStream& stream) {
  std::vector<Batch> batches;
  const std::uint64_t epoch = stream.position().epoch;
  while (stream.position().epoch == epoch) batches.push_back(stream.next());
  return batches;
}

TEST(DrawnBatches, HoldEveryPairOnceAnEpochAndOthersInTheNext) {
  const auto pictures = fake_pictures();
  BatchStream stream = drawn_stream(picture_options(pictures));
  std::set<TokenId> seen;
  for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
    for (const Batch& batch : next_epoch(stream)) {
      EXPECT_EQ(batch.pictures, pictures);
      EXPECT_EQ(std::ssize(batch.source), batch.sentences()) << "a picture is one number, without </s>";
      for (Index b = 0; b < batch.sentences(); ++b) {
        const Example example = example_of(batch, b);
        const auto number = static_cast<Index>(example.number);
        EXPECT_EQ(example.source[0], DrawnNumbers::picture(epoch, number));
        EXPECT_TRUE(seen.insert(example.source[0]).second) << example.source[0];
        ASSERT_EQ(std::ssize(example.target), number % 7 + 2);
        EXPECT_EQ(example.target.front(), 10 + number);
        EXPECT_EQ(example.target.back(), kEnd);
        ASSERT_EQ(std::ssize(example.links), number % 7 + 1);
        EXPECT_EQ(example.links.back().source, number % 3);
        EXPECT_EQ(example.links.back().target, number % 7);
      }
    }
    EXPECT_EQ(seen.size(), 500 * (epoch + 1));
  }
}

TEST(DrawnBatches, AreTheSameOnAnyNumberOfThreads) {
  const auto pictures = fake_pictures();
  BatchStream one = drawn_stream(picture_options(pictures)), three = drawn_stream(picture_options(pictures, 3));
  BatchStream other = drawn_stream(picture_options(pictures, 1, 2));
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const Batch batch = one.next();
    EXPECT_EQ(batch, three.next());
    differs |= batch != other.next();
  }
  EXPECT_TRUE(differs) << "of another seed";
}

TEST(DrawnBatches, ContinueWhereTheyWere) {
  const auto pictures = fake_pictures();
  BatchStream stream = drawn_stream(picture_options(pictures)), again = drawn_stream(picture_options(pictures));
  for (int i = 0; i < 120; ++i) {
    const StreamPosition position = stream.position();
    const Batch batch = stream.next();
    if (i % 13 != 0) continue;
    again.seek(position);
    EXPECT_EQ(again.next(), batch) << i;
  }
  EXPECT_GT(stream.position().epoch, 0u);
}

TEST(DrawnBatches, DoNotContinueThoseOfAnotherCorpus) {
  BatchStream stream = drawn_stream(picture_options(fake_pictures()));
  BatchStream other = drawn_stream(picture_options(fake_pictures()), 2);
  EXPECT_THROW(other.seek(stream.position()), Error);
  BatchStream same = drawn_stream(picture_options(fake_pictures()));
  EXPECT_NO_THROW(same.seek(stream.position()));
}

TEST(DrawnBatches, AreRefusedAsPlainText) {
  std::vector<TrainingCorpus> corpora;
  corpora.push_back({.cache = nullptr, .drawn = std::make_shared<DrawnNumbers>(10)});
  EXPECT_EQ(thrown<UsageError>([&] {
              BatchStream(std::move(corpora), 8, {.limits = {64, 20}});
            }),
            "batches: corpus 0 is drawn, expected plain text");
}

TEST(DrawnBatches, KeepTheirPicturesInShards) {
  const auto pictures = fake_pictures();
  BatchStream stream = drawn_stream(picture_options(pictures));
  const Batch batch = stream.next();
  Index sentences = 0;
  for (const Batch& shard : cut_into_shards(batch, 3)) {
    EXPECT_EQ(shard.pictures, pictures);
    EXPECT_EQ(std::ssize(shard.source), shard.sentences());
    sentences += shard.sentences();
  }
  EXPECT_EQ(sentences, batch.sentences());
}

// Pictures by name, from a cache.
TEST(PictureBatches, HaveTheNumberOfANameAsTheirSource) {
  const auto names = std::make_shared<PictureNames>(std::vector<std::string>{"b.png", "a b.jpg", "c.webp"}, 5);
  const NumberTokenizer words(2);
  std::vector<SentencePair> captions;
  for (const char* name : {"c.webp", "b.png", "gone.png", "a b.jpg", "b.png"}) {
    SentencePair pair;
    pair.source = name;
    pair.target = cat(20 + captions.size(), " 7");
    pair.line = captions.size() + 1;
    captions.push_back(pair);
  }
  const CorpusFolder folder;
  FakePairs from(captions);
  build_token_cache(folder.path("cache"), from, 1, {names.get(), &words, 20, Overlong::kDrop, CacheContent::kIds});
  const auto cache = std::make_shared<const TokenCache>(folder.path("cache"));
  EXPECT_EQ(cache->pairs(), 4) << "the picture that is not there has no number";
  EXPECT_EQ(cache->info().counts.empty, 1u);
  BatchStream stream({{cache, 1, names, nullptr}}, picture_options(fake_pictures()));
  std::set<std::pair<TokenId, TokenId>> found;
  for (const Batch& batch : next_epoch(stream)) {
    for (Index b = 0; b < batch.sentences(); ++b) {
      const Example example = example_of(batch, b);
      ASSERT_EQ(example.source.size(), 1u);
      found.emplace(example.source[0], example.target[0]);
    }
  }
  EXPECT_EQ(found, (std::set<std::pair<TokenId, TokenId>>{{2, 20}, {0, 21}, {1, 23}, {0, 24}}));
}

}  // namespace
}  // namespace dhyan
