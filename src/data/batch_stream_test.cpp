#include "data/batch_stream.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <map>

#include "core/testing/thrown.h"
#include "data/testing/number_corpus.h"
#include "data/testing/test_corpus.h"

namespace dhyan {
namespace {

std::vector<Batch> epoch_of(BatchStream& stream) {
  std::vector<Batch> batches;
  const std::uint64_t epoch = stream.position().epoch;
  while (stream.position().epoch == epoch) batches.push_back(stream.next());
  return batches;
}

std::map<std::uint64_t, int> times(const std::vector<Batch>& batches) {
  std::map<std::uint64_t, int> times;
  for (const Batch& batch : batches) {
    for (const std::uint64_t number : batch.numbers) ++times[number];
  }
  return times;
}

class Streams : public testing::Test {
 protected:
  TrainingCorpus corpus(int pairs, CacheContent content = CacheContent::kIds, std::uint64_t seed = 1) {
    return cached(fake_pairs(pairs, seed), {source_.get(), target_.get(), 20, Overlong::kDrop, content}, seed);
  }
  TrainingCorpus text(int lines, CacheContent content = CacheContent::kIds) {
    TrainingCorpus plain = cached(fake_pairs(lines), {source_.get(), nullptr, 20, Overlong::kDrop, content}, 1);
    plain.target.reset();
    return plain;
  }
  TrainingCorpus cached(std::vector<SentencePair> pairs, const CacheRecipe& recipe, std::uint64_t fingerprint) {
    const auto path = folder_.path(std::to_string(made_++));
    FakePairs from(std::move(pairs), recipe.target != nullptr);
    build_token_cache(path, from, fingerprint, recipe);
    return {std::make_shared<const TokenCache>(path), 1, source_, target_};
  }
  // Several buffers, several batches each.
  static BatchOptions options(int threads = 1, std::uint64_t seed = 1) { return {seed, {64, 20}, 2000, threads}; }

  std::shared_ptr<const Tokenizer> source_ = std::make_shared<NumberTokenizer>(1);
  std::shared_ptr<const Tokenizer> target_ = std::make_shared<NumberTokenizer>(2);
  CorpusFolder folder_;
  int made_ = 0;
};

TEST_F(Streams, ContainEverySentenceOncePerEpoch) {
  BatchStream stream({corpus(1000)}, options());
  const auto pairs = fake_pairs(1000);
  for (int epoch = 0; epoch < 2; ++epoch) {
    const std::vector<Batch> batches = epoch_of(stream);
    const auto found = times(batches);
    EXPECT_EQ(found.size(), 1000U);
    for (const auto& [number, count] : found) EXPECT_EQ(count, 1) << number;
    for (const Batch& batch : batches) {
      for (Index b = 0; b < batch.sentences(); ++b) {
        const Example example = example_of(batch, b);
        ASSERT_EQ(source_->decode(example.source), pairs[example.number].source + " 3");
        ASSERT_EQ(target_->decode(example.target), pairs[example.number].target + " 3");
      }
    }
  }
}

TEST_F(Streams, ObeyTheLimitsAndBatchSentencesOfSimilarLength) {
  BatchStream stream({corpus(2000)}, options());
  const std::vector<Batch> batches = epoch_of(stream);
  Index spread = 0, short_of = 0;
  for (const Batch& batch : batches) {
    EXPECT_LE(batch.source_segments.rows(), 64);
    EXPECT_LE(batch.target_segments.rows(), 64);
    EXPECT_LE(batch.sentences(), 20);
    Index shortest = 100;
    for (Index b = 0; b < batch.sentences(); ++b) shortest = std::min(shortest, batch.target_segments.length(b));
    spread += batch.target_segments.longest() - shortest;
    short_of += batch.sentences() < 4;
  }
  EXPECT_LT(spread, std::ssize(batches));
  EXPECT_LT(short_of, std::ssize(batches) / 5);
}

TEST_F(Streams, AreTheSameOnAnyNumberOfThreads) {
  for (const CacheContent content : {CacheContent::kIds, CacheContent::kText}) {
    BatchStream one({corpus(1500, content)}, options(1));
    const std::vector<Batch> expected = epoch_of(one);
    for (const int threads : {2, 5}) {
      BatchStream several({corpus(1500, content)}, options(threads));
      EXPECT_EQ(epoch_of(several), expected) << threads;
    }
  }
}

TEST_F(Streams, DifferBetweenEpochsAndSeeds) {
  BatchStream stream({corpus(500)}, options(1, 1)), other({corpus(500)}, options(1, 2));
  const std::vector<Batch> first = epoch_of(stream), second = epoch_of(stream);
  EXPECT_NE(first, second);
  EXPECT_NE(first, epoch_of(other));
}

TEST_F(Streams, ResumeFromEveryPosition) {
  for (const CacheContent content : {CacheContent::kIds, CacheContent::kText}) {
    BatchStream stream({corpus(400, content), corpus(100, content, 9)}, options(2));
    std::vector<StreamPosition> positions;
    std::vector<Batch> batches;
    while (stream.position().epoch < 2) {
      positions.push_back(stream.position());
      batches.push_back(stream.next());
    }
    EXPECT_GT(positions.back().buffer, 1U);
    BatchStream again({corpus(400, content), corpus(100, content, 9)},
                      options(1, 55));  // the position contains the seed
    for (std::size_t i = 0; i < positions.size(); ++i) {
      again.seek(positions[i]);
      EXPECT_EQ(again.position(), positions[i]);
      ASSERT_EQ(again.next(), batches[i]);
      if (i + 1 == batches.size()) break;
      ASSERT_EQ(again.next(), batches[i + 1]);
    }
    again.seek_epoch(1);
    EXPECT_EQ(again.position().epoch, 1U);
  }
}

TEST_F(Streams, RefuseThePositionOfOtherData) {
  BatchStream stream({corpus(100)}, options());
  for (const TrainingCorpus& changed : {corpus(100, CacheContent::kIds, 2), corpus(100, CacheContent::kText)}) {
    BatchStream other({changed}, options());
    EXPECT_NE(thrown<ConfigError>([&] {
                stream.seek(other.position());
              }).find("batches: the position is of other corpora, tokenizers or batch sizes"),
              std::string::npos);
  }
  BatchOptions larger = options();
  larger.limits.max_tokens = 65;
  EXPECT_THROW(stream.seek(BatchStream({corpus(100)}, larger).position()), ConfigError);
  StreamPosition beyond = stream.position();
  beyond.buffer = 1000;
  EXPECT_NE(thrown<DataError>([&] { stream.seek(beyond); }).find("in shuffle buffer 1000 of "), std::string::npos);
  EXPECT_EQ(times(epoch_of(stream)).size(), 100U);  // the stream still works
  beyond.buffer = 0;
  beyond.batch = 1000;
  stream.seek(beyond);
  EXPECT_NE(thrown<DataError>([&] { stream.next(); }).find("at batch 1000 of "), std::string::npos);
}

TEST_F(Streams, MixCorporaByWeight) {
  TrainingCorpus a = corpus(300), b = corpus(40, CacheContent::kIds, 2);
  b.weight = 2;
  BatchStream stream({a, b}, options());
  for (const auto& [number, count] : times(epoch_of(stream))) EXPECT_EQ(count, number < 300 ? 1 : 2);
}

TEST_F(Streams, SampleAnotherSegmentationEachTime) {
  BatchStream stream({corpus(300, CacheContent::kText)}, options());
  std::vector<std::map<std::uint64_t, std::vector<TokenId>>> sources(2);
  for (auto& of_epoch : sources) {
    for (const Batch& batch : epoch_of(stream)) {
      for (Index b = 0; b < batch.sentences(); ++b) {
        const Example example = example_of(batch, b);
        of_epoch[example.number].assign(example.source.begin(), example.source.end());
      }
    }
  }
  int differ = 0;
  const auto pairs = fake_pairs(300);
  for (const auto& [number, first] : sources[0]) {
    differ += first != sources[1][number];
    std::vector<TokenId> whole = first;
    std::erase(whole, kUnknown);
    EXPECT_EQ(source_->decode(whole), pairs[number].source + " 3");
  }
  EXPECT_GT(differ, 250);
}

TEST_F(Streams, ReplaceASampledSegmentationThatIsTooLong) {
  const std::string words = "10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29";  // as long as allowed
  BatchStream stream(
      {cached({{words, "10"}}, {source_.get(), target_.get(), 20, Overlong::kDrop, CacheContent::kText}, 5)},
      options());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(source_->decode(stream.next().source), words + " 3");
}

TEST_F(Streams, CanBeDestroyedInAnyState) {
  const TrainingCorpus large = corpus(20'000);
  BatchOptions one_buffer = options(2);
  one_buffer.buffer_tokens = 1'000'000;
  { BatchStream untouched({large}, one_buffer); }
  for (int i = 0; i < 10; ++i) {
    BatchStream stream({large}, options(2));
    for (int k = 0; k < i; ++k) stream.next();
    stream.seek_epoch(static_cast<std::uint64_t>(i));
    if (i % 2 == 0) stream.next();
    BatchStream moved = std::move(stream);
    moved.next();
  }
}

TEST_F(Streams, RethrowErrorsOfReading) {
  const TrainingCorpus good = corpus(500);
  BatchStream stream({good}, options());
  stream.next();
  std::fstream file(folder_.path("0"), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(2000);
  file << "damaged while training";
  file.close();
  EXPECT_NE(thrown<DataError>([&] {
              while (true) stream.next();
            }).find("the cache is damaged"),
            std::string::npos);
  EXPECT_THROW(stream.next(), DataError);
}

TEST_F(Streams, RefuseUnusableCorporaAndOptions) {
  EXPECT_EQ(thrown<ConfigError>([&] { BatchStream({text(5)}, options()); }),
            "batches: corpus 0 is plain text, expected sentence pairs");
  EXPECT_EQ(thrown<ConfigError>([&] { BatchStream({corpus(5)}, 8, options()); }),
            "batches: corpus 0 has sentence pairs, expected plain text");
  EXPECT_EQ(thrown<ConfigError>([&] { BatchStream({text(5)}, 65, options()); }),
            "batches: a context of 65 tokens, expected 1 to 64");
  const TrainingCorpus other = cached(fake_pairs(5), {target_.get(), target_.get()}, 1);
  EXPECT_EQ(thrown<ConfigError>([&] {
              BatchStream({corpus(5), other}, options());
            }),
            "batches: corpus 1 has other tokenizers than those before it, expected the same");
  TrainingCorpus bare = corpus(5, CacheContent::kText);
  bare.target = source_;
  EXPECT_EQ(thrown<ConfigError>([&] { BatchStream({bare}, options()); }),
            "batches: corpus 0 is kept as text, expected the tokenizers it was measured with");
  EXPECT_EQ(thrown<DataError>([&] { BatchStream({}, options()); }), "batches: 0 corpora, but not one pair in an epoch");
  EXPECT_EQ(thrown<DataError>([&] { BatchStream({corpus(0)}, options()); }),
            "batches: 1 corpora, but not one pair in an epoch");
}

// Every token of the text is a target once; the input of a target is the token before it.
TEST_F(Streams, SplitPlainTextIntoStretchesOfTheContext) {
  for (const CacheContent content : {CacheContent::kIds, CacheContent::kText}) {
    const TrainingCorpus plain = text(2000, content);
    BatchStream stream({plain}, 16, options());
    Index learned = 0, full = 0, stretches = 0;
    for (const Batch& batch : epoch_of(stream)) {
      EXPECT_EQ(batch.source_segments, batch.target_segments);
      for (Index b = 0; b < batch.sentences(); ++b) {
        const Example example = example_of(batch, b);
        for (std::size_t i = 0; i + 1 < example.source.size(); ++i) ASSERT_EQ(example.target[i], example.source[i + 1]);
        full += std::ssize(example.source) == 16;
      }
      learned += std::ssize(batch.target) - std::ranges::count(batch.target, kUnknown);
      stretches += batch.sentences();
    }
    EXPECT_EQ(learned, plain.cache->tokens() + 2000);  // and 2000 times </s>
    EXPECT_GT(full, stretches * 9 / 10);
  }
}

TEST_F(Streams, ResumeInPlainText) {
  BatchStream stream({text(500)}, 16, options(2)), again({text(500)}, 16, options());
  std::vector<Batch> batches;
  std::vector<StreamPosition> positions;
  while (stream.position().epoch == 0) {
    positions.push_back(stream.position());
    batches.push_back(stream.next());
  }
  for (std::size_t i = 0; i < batches.size(); i += 7) {
    again.seek(positions[i]);
    EXPECT_EQ(again.next(), batches[i]);
  }
}

}  // namespace
}  // namespace dhyan
