#include "translator/lexicon.h"

#include <gtest/gtest.h>

#include "data/testing/test_corpus.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/testing/small_subwords.h"
#include "translator/shortlist.h"
#include "translator/testing/fake_model.h"

namespace dhyan {
namespace {

Lexicon lexicon_of(const std::vector<SentencePair>& pairs, const TokenizerPair* tokenizers = nullptr) {
  Lexicon lexicon(tokenizers);
  for (const SentencePair& pair : pairs) lexicon.add(pair);
  return lexicon;
}

const std::vector<SentencePair> kAligned{
    {.source = "a b", .target = "A B", .links = {{0, 0}, {1, 1}}},
    {.source = "a c", .target = "A D", .links = {{0, 0}}},
    {.source = "a", .target = "X", .links = {{0, 0}}},
};

TEST(Lexicon, HasTheProbabilityOfATargetWordGivenASourceWord) {
  EXPECT_EQ(lexicon_of(kAligned).text(),
            "D NULL 1.0000000\n"
            "A a 0.6666667\nX a 0.3333333\n"
            "B b 1.0000000\n"
            "NULL c 1.0000000\n");
  EXPECT_EQ(lexicon_of(kAligned).links(), 4U);
}

TEST(Lexicon, IsPrunedByNumberAndByProbability) {
  const std::string best = "D NULL 1.0000000\nA a 0.6666667\nB b 1.0000000\nNULL c 1.0000000\n";
  EXPECT_EQ(lexicon_of(kAligned).text({.best = 1}), best);
  EXPECT_EQ(lexicon_of(kAligned).text({.best = 0, .threshold = 0.5}), best);
}

TEST(Lexicon, OfAModelHasItsTokens) {
  const auto subwords = std::make_shared<SentencePieceTokenizer>(small_subwords(SubwordAlgorithm::kBpe), "m");
  const TokenizerPair tokenizers{subwords, subwords};
  const SentencePair pair{.source = "the 日", .target = "unfortunately.", .links = {{0, 0}, {1, 0}}};
  const std::string text = lexicon_of({pair}, &tokenizers).text();
  for (const TokenId id : subwords->encode("unfortunately.").ids) {
    EXPECT_NE(text.find(std::string(subwords->piece(id)) + " ▁the "), std::string::npos) << subwords->piece(id);
  }
  EXPECT_EQ(text.find("<unk>"), std::string::npos);
}

TEST(Lexicon, IsReadByAShortlist) {
  const TokenizerPair tokenizers = fake_tokenizers();
  const SentencePair pair{.source = "मैं खा", .target = "I eating", .links = {{0, 0}, {1, 1}}};
  LineReader lines(std::make_unique<MemoryBytes>(lexicon_of({pair}, &tokenizers).text()), "lex", {});
  const Shortlist shortlist(lines, tokenizers, {.first = 0});
  std::vector<std::string> words;
  for (const TokenId id : shortlist.words_for(tokenizers.source->encode("खा").ids)) {
    words.emplace_back(tokenizers.target->piece(id));
  }
  EXPECT_EQ(words, (std::vector<std::string>{"<unk>", "</s>", "eating"}));
}

}  // namespace
}  // namespace dhyan
