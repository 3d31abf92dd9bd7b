#include "text/word_cache.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <sentencepiece_processor.h>
#include <thread>

#include "text/nfc.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/sentencepiece_trainer.h"
#include "text/testing/small_corpus.h"
#include "text/testing/small_subwords.h"
#include "text/unicode.h"
#include "text/word_tokenizer.h"

namespace dhyan {
namespace {

using Ids = std::vector<TokenId>;
using Ranges = std::vector<ByteRange>;

// Splits a word in two: its first letter, whose token is its number, and the rest.
Encoded in_two(std::string_view word) { return {{word.front(), 200}, {{0, 1}, {1, std::ssize(word)}}}; }

Encoded not_asked(std::string_view word) {
  ADD_FAILURE() << word;
  return {};
}

TEST(WordCache, EncodesEachWordOnce) {
  WordCache words;
  Encoded encoded{{9}, {{0, 0}}};
  EXPECT_TRUE(words.append(" two  one", in_two, encoded));
  EXPECT_EQ(encoded.ids, (Ids{9, 't', 200, 'o', 200}));
  EXPECT_EQ(encoded.pieces, (Ranges{{0, 0}, {1, 2}, {2, 4}, {6, 7}, {7, 9}}));
  Encoded again;
  EXPECT_TRUE(words.append("one one two ", not_asked, again));
  EXPECT_EQ(again.ids, (Ids{'o', 200, 'o', 200, 't', 200}));
  EXPECT_EQ(again.pieces, (Ranges{{0, 1}, {1, 3}, {4, 5}, {5, 7}, {8, 9}, {9, 11}}));
  EXPECT_TRUE(words.append("   ", not_asked, again));
  EXPECT_EQ(again.ids.size(), 6u);
}

TEST(WordCache, IsNotUsedForALineWhoseWordsDependOnEachOther) {
  WordCache words;
  const auto unknown = [](std::string_view word) { return Encoded{{kUnknown}, {{0, std::ssize(word)}}}; };
  Encoded encoded{{9}, {{0, 0}}};
  EXPECT_TRUE(words.append("one", in_two, encoded));
  EXPECT_FALSE(words.append("one two", unknown, encoded));
  EXPECT_FALSE(words.append("one a\u2581 b", in_two, encoded));
  EXPECT_EQ(encoded.ids, (Ids{9, 'o', 200}));
  EXPECT_EQ(encoded.pieces, (Ranges{{0, 0}, {0, 1}, {1, 3}}));
}

TEST(WordCache, HasABoundedSize) {
  WordCache words;
  int asked = 0;
  const auto number = [&](std::string_view word) {
    ++asked;
    return Encoded{{std::stoi(std::string(word)) + 4}, {{0, std::ssize(word)}}};
  };
  constexpr int kWords = 100'000;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < kWords; ++i) {
      Encoded encoded;
      ASSERT_TRUE(words.append(std::to_string(i), number, encoded));
      ASSERT_EQ(encoded.ids, (Ids{i + 4}));
    }
  }
  EXPECT_LT(asked, 2 * kWords - 10'000);
  EXPECT_GT(asked, 2 * kWords - 20'000);
}

// Lines of words of the corpus, parts of words, random characters and spaces.
std::string random_line(const std::vector<std::string>& corpus, Rng& rng) {
  constexpr char32_t kAny[] = {'a', ' ', ' ', '\t', 0x2581, 0xE9, 0x301, 0x93C, 0x95C, 0x65E5, 0x1F642, 0xA0, '<', '>'};
  std::string line;
  for (auto left = rng.below(12); left > 0; --left) {
    const std::string& from = corpus[rng.below(corpus.size())];
    const std::size_t cut = from.find(' ', rng.below(from.size()));
    line += cut == from.npos ? from : from.substr(cut);
    for (auto more = rng.below(8); more > 5; --more) append_utf8(line, kAny[rng.below(std::size(kAny))]);
  }
  return line;
}

class WordsOfEveryModel : public testing::TestWithParam<std::pair<SubwordAlgorithm, bool>> {
 protected:
  const std::string bytes_ = small_subwords(GetParam().first, GetParam().second);
  const SentencePieceTokenizer tokenizer_{bytes_, "m"};
};

INSTANTIATE_TEST_SUITE_P(, WordsOfEveryModel,
                         testing::Values(std::pair{SubwordAlgorithm::kUnigram, false},
                                         std::pair{SubwordAlgorithm::kBpe, false},
                                         std::pair{SubwordAlgorithm::kBpe, true}));

TEST_P(WordsOfEveryModel, AreSegmentedAsByTheLibraryWithAnyCacheContent) {
  sentencepiece::SentencePieceProcessor library;
  ASSERT_TRUE(library.LoadFromSerializedProto(bytes_).ok());
  const std::vector<std::string> corpus = small_corpus(200);
  Rng rng(1);
  for (int i = 0; i < 3000; ++i) {
    std::string line = nfc(i < 200 ? corpus[static_cast<std::size_t>(i)] : random_line(corpus, rng));
    std::ranges::replace(line, '\t', ' ');
    sentencepiece::ImmutableSentencePieceText found;
    ASSERT_TRUE(library.Encode(line, found.mutable_proto()).ok());
    Encoded expected;
    for (const auto& piece : found.pieces()) {
      std::size_t begin = piece.begin(), end = piece.end();
      while (begin < end && line[begin] == ' ') ++begin;
      while (begin < end && line[end - 1] == ' ') --end;
      expected.ids.push_back(static_cast<TokenId>(piece.id()));
      expected.pieces.push_back({static_cast<Index>(begin), static_cast<Index>(end)});
    }
    const Encoded encoded = tokenizer_.encode(line);
    ASSERT_EQ(encoded.ids, expected.ids) << line;
    ASSERT_EQ(encoded.pieces, expected.pieces) << line;
  }
}

// Except for repeated and surrounding blanks, which only the library writes. <unk> and invalid bytes are left out: the
// library decodes them differently.
TEST_P(WordsOfEveryModel, AreDecodedAsByTheLibrary) {
  sentencepiece::SentencePieceProcessor library;
  ASSERT_TRUE(library.LoadFromSerializedProto(bytes_).ok());
  Rng rng(1);
  const TokenId space = std::max<TokenId>(kUnknown, library.PieceToId("\u2581"));
  for (int i = 0; i < 3000; ++i) {
    std::vector<int> ids;
    for (auto left = rng.below(8); left > 0; --left) {
      ids.push_back(rng.below(6) == 0 ? space : static_cast<int>(rng.below(i % 2 == 0 ? 366 : 110)));
      const TokenId id = ids.back();
      if (id >= tokenizer_.size() || id < std::ssize(kSpecialTokens) || tokenizer_.is_byte(id)) ids.pop_back();
    }
    std::string expected;
    const std::string theirs = library.DecodeIds(ids);
    for (const ByteRange& word : word_ranges(theirs))
      expected += (expected.empty() ? "" : " ") + std::string(part(theirs, word));
    ASSERT_EQ(tokenizer_.decode(ids), expected) << testing::PrintToString(ids);
  }
}

TEST_P(WordsOfEveryModel, AreTheSameForThreadsThatShareTheCache) {
  const std::vector<std::string> corpus = small_corpus(200);
  std::vector<std::vector<Encoded>> found(4);
  {
    std::vector<std::jthread> threads;
    for (std::vector<Encoded>& mine : found) {
      threads.emplace_back([&] {
        for (const std::string& line : corpus) mine.push_back(tokenizer_.encode(line));
      });
    }
  }
  for (const std::vector<Encoded>& one : found) {
    for (std::size_t i = 0; i < corpus.size(); ++i) {
      ASSERT_EQ(one[i].ids, tokenizer_.encode(corpus[i]).ids);
      ASSERT_EQ(one[i].pieces, tokenizer_.encode(corpus[i]).pieces);
    }
  }
}

}  // namespace
}  // namespace dhyan
