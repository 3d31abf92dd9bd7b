#include "data/build_cache.h"

#include <atomic>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/testing/thrown.h"
#include "data/testing/number_corpus.h"
#include "data/testing/test_corpus.h"

namespace dhyan {
namespace {

class BuildCache : public testing::Test {
 protected:
  CacheRecipe recipe() const { return {.source = &source_, .target = &target_}; }

  CacheCounts build(std::vector<SentencePair> pairs, const CacheRecipe& recipe, const BuildOptions& options = {}) {
    FakePairs from(std::move(pairs), recipe.target != nullptr);
    return build_token_cache(path_, from, 77, recipe, options);
  }

  NumberTokenizer source_{11}, target_{12};
  CorpusFolder folder_;
  std::filesystem::path path_ = folder_.path("cache");
};

TEST_F(BuildCache, StoresThePairsInOrder) {
  const auto pairs = fake_pairs(10'000);
  const CacheCounts counts = build(pairs, recipe());
  EXPECT_EQ(counts.read, 10'000);
  EXPECT_EQ(counts.pairs, 10'000);
  const TokenCache cache(path_);
  EXPECT_EQ(cache.info().counts, counts);
  CacheReader reader(cache);
  for (Index n = 0; n < cache.pairs(); ++n) {
    const CacheReader::Ids ids = reader.ids(n);
    const SentencePair& pair = pairs[static_cast<std::size_t>(n)];
    ASSERT_EQ(source_.decode(ids.source), pair.source);
    ASSERT_EQ(target_.decode(ids.target), pair.target);
  }
}

TEST_F(BuildCache, WritesTheSameBytesOnAnyNumberOfThreads) {
  build(fake_pairs(9'000), recipe());
  const std::string one = folder_.read("cache");
  for (const int threads : {2, 5}) {
    build(fake_pairs(9'000), recipe(), {.threads = threads});
    EXPECT_EQ(folder_.read("cache"), one) << threads;
  }
}

TEST_F(BuildCache, CountsDroppedAndCutPairs) {
  const std::vector<SentencePair> pairs = {{"5 6", "7"}, {"", "7"}, {"5", ""}, {"5 6 7 8", "9"}, {"5", "6 7 8"}};
  CacheRecipe limited = recipe();
  limited.max_length = 2;
  EXPECT_EQ(build(pairs, limited), (CacheCounts{5, 1, 2, 2, 0, 2, 1}));
  limited.overlong = Overlong::kCut;
  EXPECT_EQ(build(pairs, limited), (CacheCounts{5, 3, 2, 0, 2, 5, 4}));
}

TEST_F(BuildCache, CutsTextAtTheSamePlaceAsTokens) {
  CacheRecipe limited = recipe();
  limited.max_length = 2;
  limited.overlong = Overlong::kCut;
  limited.content = CacheContent::kText;
  build({{"50 60 70", "8"}}, limited);
  const TokenCache cache(path_);
  CacheReader reader(cache);
  EXPECT_EQ(reader.text(0).source, "50 60");
  EXPECT_EQ(reader.text(0).target, "8");
  EXPECT_EQ(cache.info().counts.source_tokens, 2);
}

TEST_F(BuildCache, AcceptsPlainText) {
  CacheRecipe plain = recipe();
  plain.target = nullptr;
  EXPECT_EQ(build({{"5 6", ""}, {"", ""}}, plain), (CacheCounts{2, 2, 0, 0, 0, 2, 0}));
  const TokenCache cache(path_);
  EXPECT_TRUE(CacheReader(cache).ids(0).target.empty());
  FakePairs from({{"5", ""}}, false);
  EXPECT_NE(thrown<DataError>([&] {
              build_token_cache(path_, from, 77, recipe());
            }).find("cache: the corpus is plain text, expected sentences with translations"),
            std::string::npos);
}

TEST_F(BuildCache, ReportsProgress) {
  struct Sink final : ProgressSink {
    void update(std::uint64_t done, std::optional<std::uint64_t> total, std::string_view unit) override {
      EXPECT_GE(done, last);
      EXPECT_FALSE(total.has_value());
      EXPECT_EQ(unit, "sentences");
      last = done;
    }
    std::uint64_t last = 0;
  } sink;
  build(fake_pairs(9'000), recipe(), {.threads = 2, .progress = &sink});
  EXPECT_EQ(sink.last, 9'000);
}

TEST_F(BuildCache, LeavesNoFileWhenReadingFails) {
  struct Failing final : PairSource {
    bool next(SentencePair& pair) override {
      pair = {"5", "6"};
      if (++given > 5000) throw DataError("line 5001");
      return true;
    }
    int given = 0;
  };
  build(fake_pairs(3), recipe());
  Failing from;
  EXPECT_EQ(thrown<DataError>([&] { build_token_cache(path_, from, 77, recipe(), {.threads = 3}); }), "line 5001");
  EXPECT_EQ(TokenCache(path_).pairs(), 3);  // the old cache is unchanged
  EXPECT_EQ(folder_.files(), 1U);
}

TEST_F(BuildCache, RefusesAMaximumLengthOfZero) {
  CacheRecipe zero = recipe();
  zero.max_length = 0;
  EXPECT_EQ(thrown<ConfigError>([&] { build({}, zero); }), "token cache: max length is 0, expected 1 to 1048576");
}

class PrepareCache : public BuildCache {
 protected:
  bool built(std::uint64_t corpus, const CacheRecipe& recipe, OnDamage on_damage = OnDamage::kRebuild) {
    const PreparedCache prepared = prepare_token_cache(
        path_, [] { return std::make_unique<FakePairs>(fake_pairs(200)); }, corpus, recipe, {.on_damage = on_damage});
    EXPECT_EQ(prepared.cache->pairs(), 200);
    return prepared.built;
  }
};

TEST_F(PrepareCache, RebuildsOnlyWhenCorpusTokenizerOrLimitsChange) {
  EXPECT_TRUE(built(1, recipe()));
  EXPECT_FALSE(built(1, recipe()));
  EXPECT_TRUE(built(2, recipe()));
  EXPECT_FALSE(built(2, recipe()));
  const NumberTokenizer other(13);
  CacheRecipe changed = recipe();
  changed.target = &other;
  EXPECT_TRUE(built(2, changed));
  changed.source = &other;
  EXPECT_TRUE(built(2, changed));
  changed.max_length = 100;
  EXPECT_TRUE(built(2, changed));
  changed.content = CacheContent::kText;
  EXPECT_TRUE(built(2, changed));
  EXPECT_FALSE(built(2, changed));
}

TEST_F(PrepareCache, RebuildsADamagedCacheUnlessToldNotTo) {
  built(1, recipe());
  const std::string whole = folder_.read("cache");
  for (const std::size_t at : {std::size_t{3}, std::size_t{100}, whole.size() - 10}) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] + 1);
    folder_.write("cache", bytes);
    EXPECT_THROW(built(1, recipe(), OnDamage::kThrow), DataError);
    EXPECT_TRUE(built(1, recipe()));
    EXPECT_EQ(folder_.read("cache"), whole);
  }
}

TEST_F(PrepareCache, IdentifiesACorpusByItsContent) {
  const CorpusSpec a{{folder_.write("a", "one"), folder_.write("b", "two")}},
      swapped{{folder_.write("b", "two"), folder_.write("a", "one")}};
  const std::uint64_t before = corpus_fingerprint(a);
  EXPECT_EQ(corpus_fingerprint({{folder_.write("c", "one"), folder_.write("d", "two")}}),
            before);  // names do not matter
  EXPECT_NE(corpus_fingerprint(swapped), before);
  ReadOptions skipping;
  skipping.on_bad_utf8 = OnBadUtf8::kSkip;
  EXPECT_NE(corpus_fingerprint(a, skipping), before);
  folder_.write("b", "twO");
  EXPECT_NE(corpus_fingerprint(a), before);
  const ReadOptions languages{.source_language = "hi", .target_language = "en"};
  EXPECT_EQ(corpus_fingerprint(a, languages), corpus_fingerprint(a)) << "they matter to TMX alone";
  const CorpusSpec memory{{folder_.write("memory.tmx", "<tmx/>")}}, tsv{{folder_.write("pairs.tsv", "one\ttwo")}};
  EXPECT_NE(corpus_fingerprint(memory, languages), corpus_fingerprint(memory));
  EXPECT_EQ(corpus_fingerprint(tsv, languages), corpus_fingerprint(tsv));
  EXPECT_EQ(thrown<ConfigError>([] { corpus_fingerprint({{"-"}}); }),
            "standard input cannot be cached: it is read only once; give a file");
}

TEST_F(PrepareCache, StopsHashingBuildingAndVerifyingWhenThePollThrows) {
  struct PollEnd {};
  std::atomic<int> polls = 0;
  const auto poll_until = [&](int last) {
    polls = 0;
    return [&polls, last] {
      if (++polls == last) throw PollEnd();
    };
  };
  const std::string corpus = folder_.write("big", std::string(1 << 20, 'x'));
  EXPECT_THROW(corpus_fingerprint({{corpus}}, {.poll = poll_until(4)}), PollEnd);
  EXPECT_EQ(polls, 4);
  const auto prepare = [&](int last) {
    const auto open = [] { return std::make_unique<FakePairs>(fake_pairs(200)); };
    return prepare_token_cache(path_, open, 1, recipe(), {.threads = 2, .poll = poll_until(last)});
  };
  for (const int last : {1, 2}) EXPECT_THROW(prepare(last), PollEnd);
  EXPECT_EQ(folder_.files(), 1u) << "nothing is left of a cache that was not finished";
  EXPECT_TRUE(prepare(-1).built);
  EXPECT_EQ(polls, 200) << "once for each pair";
  EXPECT_THROW(prepare(1), PollEnd) << "when the cache is verified";
}

TEST_F(PrepareCache, RefusesPipesAndDevices) {
  const auto refusal = [](const std::string& file) { return thrown<DataError>([&] { corpus_fingerprint({{file}}); }); };
  const std::string rest = "; expected a regular file, because training reads a corpus more than once";
  EXPECT_EQ(refusal("/dev/zero"), "/dev/zero: this is a device" + rest);
  EXPECT_EQ(refusal(folder_.path()), folder_.path().string() + ": this is a folder" + rest);
  ASSERT_EQ(::mkfifo(folder_.path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(refusal(folder_.path("pipe")), folder_.path("pipe") + ": this is a pipe" + rest);
  EXPECT_THROW(corpus_fingerprint({{folder_.path("none")}}), IoError);
}

}  // namespace
}  // namespace dhyan
