#include "text/word_cache.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <sentencepiece_processor.h>
#include <thread>

#include "text/nfc.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/sentencepiece_trainer.h"
#include "text/small_corpus.h"

namespace dhyan {
namespace {

using Ids = std::vector<TokenId>;
using Ranges = std::vector<ByteRange>;

TEST(WordCache, KnowsALineOfWordsItHasSeen) {
  WordCache words;
  words.learn("one  two", {{4, 5, 6, 7}, {{0, 2}, {2, 3}, {5, 5}, {5, 8}}});
  Encoded encoded{{9}, {{0, 0}}};
  EXPECT_TRUE(words.append(" two one one ", encoded));
  EXPECT_EQ(encoded.ids, (Ids{9, 6, 7, 4, 5, 4, 5}));
  EXPECT_EQ(encoded.pieces, (Ranges{{0, 0}, {1, 1}, {1, 4}, {5, 7}, {7, 8}, {9, 11}, {11, 12}}));
  EXPECT_TRUE(words.append("   ", encoded));
  EXPECT_EQ(encoded.ids.size(), 7u);
}

TEST(WordCache, ChangesNothingForALineWithAnother) {
  WordCache words;
  words.learn("one two", {{4, 5}, {{0, 3}, {4, 7}}});
  Encoded encoded{{9}, {{0, 0}}};
  EXPECT_FALSE(words.append("one three", encoded));
  EXPECT_EQ(encoded.ids, (Ids{9}));
  EXPECT_EQ(encoded.pieces, (Ranges{{0, 0}}));
}

TEST(WordCache, KeepsNoWordThatDependsOnWhatStandsBesideIt) {
  WordCache words;
  words.learn("one two a\u2581 b", {{4, kUnknown, 5, 6, 7}, {{0, 2}, {2, 7}, {8, 9}, {9, 12}, {13, 14}}});
  Encoded encoded;
  for (const char* word : {"one", "two", "a\u2581"}) EXPECT_FALSE(words.append(word, encoded)) << word;
  EXPECT_TRUE(words.append("b", encoded));
}

TEST(WordCache, AddsNoMoreThanThereIsRoomFor) {
  WordCache words;
  std::size_t known = 0;
  constexpr int kWords = 100'000;
  for (int i = 0; i < kWords; ++i) words.learn(std::to_string(i), {{i + 4}, {{0, std::ssize(std::to_string(i))}}});
  for (int i = 0; i < kWords; ++i) {
    Encoded encoded;
    if (!words.append(std::to_string(i), encoded)) continue;
    ASSERT_EQ(encoded.ids, (Ids{i + 4}));
    ++known;
  }
  EXPECT_GT(known, 10'000u);
  EXPECT_LT(known, 20'000u);
}

// Of words of the corpus, parts of them, characters of any kind, and spaces.
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

TEST_P(WordsOfEveryModel, AreCutAsTheLibraryCutsThemWhateverCameBefore) {
  sentencepiece::SentencePieceProcessor library;
  ASSERT_TRUE(library.LoadFromSerializedProto(bytes_).ok());
  const std::vector<std::string> corpus = small_corpus(200);
  Rng rng(1);
  for (int i = 0; i < 3000; ++i) {
    const std::string line = i < 200 ? corpus[static_cast<std::size_t>(i)] : random_line(corpus, rng);
    std::string given = nfc(line);
    std::ranges::replace(given, '\t', ' ');
    const std::vector<int> expected = library.EncodeAsIds(given);
    const Encoded encoded = tokenizer_.encode(line);
    ASSERT_EQ(encoded.ids, Ids(expected.begin(), expected.end())) << line;
    if (i % 10 != 0) continue;  // ranges: as of a tokenizer that has seen nothing
    ASSERT_EQ(encoded.pieces, SentencePieceTokenizer(bytes_, "m").encode(line).pieces) << line;
  }
}

TEST_P(WordsOfEveryModel, ArePutTogetherAsTheLibraryDoes) {
  sentencepiece::SentencePieceProcessor library;
  ASSERT_TRUE(library.LoadFromSerializedProto(bytes_).ok());
  Rng rng(1);
  const TokenId space = std::max<TokenId>(kUnknown, library.PieceToId("\u2581"));
  for (int i = 0; i < 3000; ++i) {
    std::vector<int> ids;
    for (auto left = rng.below(8); left > 0; --left) {
      ids.push_back(rng.below(6) == 0 ? space : static_cast<int>(rng.below(i % 2 == 0 ? 366 : 110)));
      if (ids.back() >= tokenizer_.size() || stands_for_no_text(ids.back())) ids.pop_back();
    }
    ASSERT_EQ(tokenizer_.decode(ids), library.DecodeIds(ids)) << testing::PrintToString(ids);
  }
}

TEST_P(WordsOfEveryModel, AreTheSameForThreadsThatLearnThemTogether) {
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
