#include "text/encode_beginning.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/testing/small_subwords.h"
#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"

namespace dhyan {
namespace {

// Counts the bytes that are encoded.
class CountingTokenizer final : public Tokenizer {
 public:
  explicit CountingTokenizer(const Tokenizer& inner) : inner_(inner) {}
  Encoded encode(std::string_view line) const override {
    bytes += std::ssize(line);
    return inner_.encode(line);
  }
  std::string decode(std::span<const TokenId> ids) const override { return inner_.decode(ids); }
  Index size() const override { return inner_.size(); }
  std::string_view piece(TokenId id) const override { return inner_.piece(id); }
  std::uint64_t fingerprint() const override { return inner_.fingerprint(); }
  void save(const std::filesystem::path&, std::string_view) const override {}

  mutable Index bytes = 0;

 private:
  const Tokenizer& inner_;
};

std::string long_line() {
  std::string line;
  for (int i = 0; i < 40; ++i) {
    for (const std::string& sentence : small_corpus(600)) line += sentence + " ";
  }
  return line;
}

TEST(EncodedBeginning, HasTheFirstTokensOfTheLine) {
  const std::string line = long_line();
  for (const SubwordAlgorithm algorithm : {SubwordAlgorithm::kUnigram, SubwordAlgorithm::kBpe}) {
    const SentencePieceTokenizer subwords(small_subwords(algorithm), "m");
    const Encoded all = subwords.encode(line);
    for (const Index tokens : {1, 100, 1000}) {
      const Encoded some = encode_beginning(subwords, line, tokens);
      ASSERT_GT(std::ssize(some.ids), tokens) << "so that it is known that the line goes on";
      EXPECT_TRUE(std::equal(some.ids.begin(), some.ids.begin() + tokens, all.ids.begin()));
      EXPECT_TRUE(std::equal(some.pieces.begin(), some.pieces.begin() + tokens, all.pieces.begin()));
    }
  }
}

TEST(EncodedBeginning, DoesNotEncodeTheRest) {
  const auto words = trained_on<WordTokenizer>({"a b"});
  const CountingTokenizer counting(words);
  std::string line;
  while (line.size() < 1'000'000) line += "a b ";
  EXPECT_GT(encode_beginning(counting, line, 100).ids.size(), 100U);
  EXPECT_LT(counting.bytes, 20'000);
}

TEST(EncodedBeginning, ReadsFurtherIfTokensAreLong) {
  const auto words = trained_on<WordTokenizer>({"a b"});
  const std::string line = std::string(100'000, 'x') + " a" + std::string(100'000, ' ') + "b";
  EXPECT_EQ(encode_beginning(words, line, 3).ids, words.encode(line).ids);
  EXPECT_EQ(encode_beginning(words, line, Index{1} << 40).ids, words.encode(line).ids);
  EXPECT_TRUE(encode_beginning(words, "", 3).ids.empty());
}

TEST(EncodedBeginning, RefusesBadUtf8AnywhereInTheLine) {
  const auto words = trained_on<WordTokenizer>({"a b"});
  std::string line;
  while (line.size() < 100'000) line += "a b ";
  line += '\xff';
  EXPECT_EQ(thrown<DataError>([&] { encode_beginning(words, line, 10); }), "encode: byte 100001 is not UTF-8 (0xff)");
}

}  // namespace
}  // namespace dhyan
