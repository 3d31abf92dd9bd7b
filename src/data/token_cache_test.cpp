#include "data/token_cache.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>

#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "data/testing/number_corpus.h"
#include "data/testing/test_corpus.h"
#include "data/token_cache_format.h"
#include "data/token_cache_writer.h"

namespace dhyan {
namespace {

using Ids = std::vector<TokenId>;

// Pair n: source {n, 300}, target n % 3 tokens.
void write_cache(const std::filesystem::path& path, int pairs, CacheContent content = CacheContent::kIds) {
  CacheInfo info;
  info.key = {1, 2, 3, 4};
  info.content = content;
  info.source_vocabulary = 1 << 20;
  info.target_vocabulary = 100;
  TokenCacheWriter writer(path, info);
  CacheCounts counts;
  for (int n = 0; n < pairs; ++n) {
    std::vector<std::byte> record;
    if (content == CacheContent::kIds) {
      put_ids(record, Ids{n, 300}, Ids(static_cast<std::size_t>(n % 3), 7));
    } else {
      put_text(record, std::to_string(n), std::string(static_cast<std::size_t>(n % 3), 'x'));
    }
    counts.source_tokens += 2;
    counts.target_tokens += static_cast<std::uint64_t>(n % 3);
    ++counts.pairs;
    ++counts.read;
    writer.add(record);
  }
  writer.commit(counts);
}

TEST(Varint, RoundTrips) {
  for (const std::uint32_t value : {0U, 1U, 127U, 128U, 16383U, 16384U, 2097151U, 268435456U, UINT32_MAX}) {
    std::vector<std::byte> bytes;
    cache_format::put_varint(bytes, value);
    std::span<const std::byte> rest = bytes;
    std::uint32_t taken = 1;
    ASSERT_TRUE(cache_format::take_varint(rest, taken));
    EXPECT_EQ(taken, value);
    EXPECT_TRUE(rest.empty());
    rest = std::span(bytes).first(bytes.size() - 1);
    EXPECT_FALSE(cache_format::take_varint(rest, taken));
  }
  const std::vector<std::byte> too_large(5, std::byte{0x7f | 0x80}), endless(9, std::byte{0x80});
  std::uint32_t taken = 0;
  std::span<const std::byte> rest = too_large;
  EXPECT_FALSE(cache_format::take_varint(rest, taken));
  rest = endless;
  EXPECT_FALSE(cache_format::take_varint(rest, taken));
}

TEST(TokenCache, ReturnsAnyPairByItsNumber) {
  const CorpusFolder folder;
  for (const int pairs : {0, 1, 63, 64, 65, 1000}) {
    write_cache(folder.path("cache"), pairs);
    const TokenCache cache(folder.path("cache"));
    ASSERT_EQ(cache.pairs(), pairs);
    EXPECT_EQ(cache.info().key, (CacheKey{1, 2, 3, 4}));
    cache.verify();
    CacheReader reader(cache);
    for (int step = 0; step < pairs; ++step) {
      const int n = step * 577 % pairs;  // forwards and backwards, within blocks and across them
      const CacheReader::Ids pair = reader.ids(n);
      ASSERT_EQ(Ids(pair.source.begin(), pair.source.end()), (Ids{n, 300}));
      ASSERT_EQ(Ids(pair.target.begin(), pair.target.end()), Ids(static_cast<std::size_t>(n % 3), 7));
    }
  }
}

TEST(TokenCache, StoresText) {
  const CorpusFolder folder;
  write_cache(folder.path("cache"), 100, CacheContent::kText);
  const TokenCache cache(folder.path("cache"));
  cache.verify();
  CacheReader reader(cache);
  for (const Index n : {99, 0, 64, 63}) {
    EXPECT_EQ(reader.text(n).source, std::to_string(n));
    EXPECT_EQ(reader.text(n).target, std::string(static_cast<std::size_t>(n % 3), 'x'));
  }
  EXPECT_NE(thrown<UsageError>([&] { reader.ids(0); }).find("holds text, not ids"), std::string::npos);
  EXPECT_NE(thrown<UsageError>([&] { reader.text(100); }).find("pair 100 of 100"), std::string::npos);
}

TEST(TokenCache, DetectsEveryFlippedByte) {
  const CorpusFolder folder;
  write_cache(folder.path("cache"), 130);
  const std::string whole = folder.read("cache");
  std::fstream file(folder.path("cache"), std::ios::in | std::ios::out | std::ios::binary);
  const auto put = [&](std::size_t at, char byte) { file.seekp(static_cast<std::streamoff>(at)).put(byte).flush(); };
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int flip : {0x01, 0x80}) {
      put(at, static_cast<char>(whole[at] ^ flip));
      EXPECT_THROW(TokenCache(folder.path("cache")).verify(), DataError) << at;
    }
    put(at, whole[at]);
  }
  TokenCache(folder.path("cache")).verify();
}

TEST(TokenCache, DetectsEveryTruncation) {
  const CorpusFolder folder;
  write_cache(folder.path("cache"), 70, CacheContent::kText);
  const std::string whole = folder.read("cache");
  folder.write("cache", whole + "x");
  EXPECT_THROW(TokenCache(folder.path("cache")).verify(), DataError);
  for (std::size_t size = whole.size(); size-- > 0;) {
    std::filesystem::resize_file(folder.path("cache"), size);
    EXPECT_THROW(TokenCache(folder.path("cache")).verify(), DataError) << size;
  }
}

TEST(TokenCache, NamesTheDamage) {
  const CorpusFolder folder;
  EXPECT_NE(thrown<IoError>([&] { TokenCache(folder.path("none")); }).find("none: cannot open: "), std::string::npos);
  folder.write("text", std::string(500, 'x'));
  EXPECT_NE(thrown<DataError>([&] {
              TokenCache(folder.path("text"));
            }).find("text: it does not start with the magic bytes of a token cache; the cache is damaged; remove it"),
            std::string::npos);
  folder.write("short", "dhyan");
  EXPECT_NE(thrown<DataError>([&] { TokenCache(folder.path("short")); }).find("it has 5 bytes, expected at least 152"),
            std::string::npos);
}

// Caches with valid checksums and invalid contents.
class HostileCache : public testing::Test {
 protected:
  std::string message(const std::vector<std::byte>& record) {
    CacheInfo info;
    info.source_vocabulary = info.target_vocabulary = 100;
    TokenCacheWriter writer(folder_.path("cache"), info);
    writer.add(record);
    CacheCounts counts;
    counts.pairs = 1;
    writer.commit(counts);
    return thrown<DataError>([&] { TokenCache(folder_.path("cache")).verify(); });
  }
  static std::vector<std::byte> numbers(std::initializer_list<std::uint32_t> values) {
    std::vector<std::byte> bytes;
    for (const std::uint32_t value : values) cache_format::put_varint(bytes, value);
    return bytes;
  }

  CorpusFolder folder_;
};

TEST_F(HostileCache, CannotContainAnIdOutsideOfTheVocabulary) {
  EXPECT_NE(message(numbers({2, 1, 100})).find("an id in block 0 is 100 of 100"), std::string::npos);
  EXPECT_NE(message(numbers({4, 1, 7, 300})).find("an id in block 0 is 300 of 100"), std::string::npos);
}

TEST_F(HostileCache, CannotPointBeyondItsRecords) {
  EXPECT_NE(message(numbers({UINT32_MAX, 1, 5})).find("record 0 of block 0 goes beyond its block"), std::string::npos);
  EXPECT_NE(message(numbers({2, 9, 5})).find("the source of pair 0 goes beyond its record"), std::string::npos);
  EXPECT_NE(message(numbers({2, 1, 5, 5})).find("block 0 is longer than its records"), std::string::npos);
  EXPECT_NE(message({}).find("record 0 of block 0 goes beyond its block"), std::string::npos);
}

TEST_F(HostileCache, CannotClaimMorePairsThanItHas) {
  CacheInfo info;
  for (const std::uint64_t tokens : {std::uint64_t{5}, UINT64_MAX}) {
    TokenCacheWriter writer(folder_.path("cache"), info);
    CacheCounts counts;
    counts.source_tokens = tokens;
    writer.commit(counts);
    EXPECT_THROW(TokenCache(folder_.path("cache")).verify(), DataError);
  }
}

TEST(TokenCache, StoresLinksWithTheIds) {
  const TemporaryFolder folder;
  CacheInfo info;
  info.content = CacheContent::kAligned;
  info.source_vocabulary = info.target_vocabulary = 100;
  const auto write = [&](const std::vector<TokenLink>& links) {
    TokenCacheWriter writer(folder.path("aligned"), info);
    std::vector<std::byte> first, second;
    put_aligned(first, Ids{5, 6}, Ids{7, 8, 9}, links);
    put_aligned(second, Ids{5}, Ids{6}, {});
    writer.add(first);
    writer.add(second);
    writer.commit({.read = 2, .pairs = 2, .source_tokens = 3, .target_tokens = 4});
  };
  write({{1, 0}, {0, 2}});
  const TokenCache cache(folder.path("aligned"));
  cache.verify();
  CacheReader reader(cache);
  const CacheReader::Ids one = reader.ids(0);
  EXPECT_TRUE(std::ranges::equal(one.source, Ids{5, 6}));
  EXPECT_TRUE(std::ranges::equal(one.target, Ids{7, 8, 9}));
  EXPECT_TRUE(std::ranges::equal(one.links, std::vector<TokenLink>{{1, 0}, {0, 2}}));
  EXPECT_TRUE(reader.ids(1).links.empty());
  write({{2, 0}});
  EXPECT_THROW(TokenCache(folder.path("aligned")).verify(), DataError) << "there is no third token";
}

}  // namespace
}  // namespace dhyan
