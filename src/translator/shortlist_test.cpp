#include "translator/shortlist.h"

#include <gtest/gtest.h>
#include <limits>

#include "core/testing/thrown.h"
#include "data/testing/test_corpus.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/testing/small_subwords.h"
#include "translator/testing/fake_model.h"

namespace dhyan {
namespace {

Shortlist shortlist_of(std::string_view text, const ShortlistOptions& options = {}) {
  LineReader lexicon(std::make_unique<MemoryBytes>(text), "lex", {});
  return Shortlist(lexicon, fake_tokenizers(), options);
}

std::vector<std::string> words_for(const Shortlist& shortlist, std::string_view line) {
  const TokenizerPair tokenizers = fake_tokenizers();
  std::vector<std::string> words;
  for (const TokenId id : shortlist.words_for(tokenizers.source->encode(line).ids)) {
    words.emplace_back(tokenizers.target->piece(id));
  }
  std::ranges::sort(words);
  return words;
}

using Words = std::vector<std::string>;

constexpr std::string_view kLexicon =
    "I मैं 0.9\nam मैं 0.05\neating खा 0.5\nam NULL 0.1\nNULL खा 0.1\nhouse घर 1\n\nam हूँ 1e-3\neating मैं 0.01\n";

TEST(Shortlist, HasTheBestTranslationsOfEachWordAndTheFirstOfAll) {
  const Shortlist best = shortlist_of(kLexicon, {.first = 0, .best = 1});
  EXPECT_EQ(words_for(best, "मैं हूँ"), (Words{"</s>", "<unk>", "I", "am"}));
  EXPECT_EQ(words_for(best, "खा रहा"), (Words{"</s>", "<unk>", "eating"}));
  EXPECT_EQ(words_for(shortlist_of(kLexicon, {.first = 0, .best = 2}), "मैं"), (Words{"</s>", "<unk>", "I", "am"}));
  EXPECT_EQ(words_for(shortlist_of(kLexicon, {.first = 100}), "").size(), 5U) << "as many as there are";
  constexpr Index kMost = std::numeric_limits<Index>::max();
  EXPECT_EQ(words_for(shortlist_of(kLexicon, {.first = kMost, .best = kMost}), "").size(), 5U);
  const std::vector<TokenId> ids = best.words_for(fake_tokenizers().source->encode("मैं खा हूँ").ids);
  EXPECT_TRUE(std::ranges::is_sorted(ids));
}

// The tokens of byte fallback come first in a vocabulary, and are not its most frequent words.
TEST(Shortlist, DoesNotCountBytesAmongTheFirst) {
  const auto subwords = std::make_shared<SentencePieceTokenizer>(small_subwords(SubwordAlgorithm::kBpe, true), "m");
  LineReader lexicon(std::make_unique<MemoryBytes>("▁the ▁the 1\n"), "lex", {});
  const std::vector<TokenId> words = Shortlist(lexicon, {subwords, subwords}, {.first = 2}).words_for({});
  ASSERT_EQ(words.size(), 4U);
  for (const TokenId id : words) EXPECT_FALSE(subwords->is_byte(id));
}

TEST(Shortlist, ReadsProbabilitiesBelowTheSmallestDoubleAsZero) {
  const Shortlist best = shortlist_of("I मैं 1e-400\nam मैं 1e-300\n", {.first = 0, .best = 1});
  EXPECT_EQ(words_for(best, "मैं"), (Words{"</s>", "<unk>", "am"}));
  EXPECT_EQ(thrown<DataError>([&] { shortlist_of("I मैं 1e400\n"); }).substr(0, 14), "lex:1: '1e400'");
}

TEST(Shortlist, RefusesOtherFiles) {
  const auto refused = [](std::string_view text) { return thrown<DataError>([&] { shortlist_of(text); }); };
  EXPECT_EQ(refused("I मैं 0.9\nI मैं\n"), "lex:2: has 2 fields; expected target, source, probability");
  EXPECT_EQ(refused("I मैं 2\n"),
            "lex:1: '2' is not a probability; expected a target word, a source word and a number up to 1");
  EXPECT_EQ(refused("I मैं nan\n").substr(0, 10), "lex:1: 'na");
  EXPECT_EQ(refused("I मैं 0.5x\n").substr(0, 10), "lex:1: '0.");
  EXPECT_EQ(refused("house घर 1\n"),
            "lex: has no words that the model knows; make it with dhyan data lexicon -m MODEL");
}

// Like a lexicon of words with a model of subwords: some words are also tokens.
TEST(Shortlist, RefusesALexiconOfOtherTokens) {
  const std::string known = "I मैं 0.9\n", others = "house घर 1\nfood खाना 1\n";
  EXPECT_EQ(
      thrown<DataError>([&] { shortlist_of(known + others); }),
      "lex: the model knows the tokens of 1 of 3 entries (33.3 %), expected at least half; make it with dhyan data "
      "lexicon -m MODEL");
  EXPECT_NO_THROW(shortlist_of(known + "am हूँ 1\n" + others)) << "half";
  EXPECT_NO_THROW(shortlist_of(known + "NULL मैं 1\nI NULL 1\n<unk> मैं 1\nI <unk> 1\n")) << "those are no words";
}

}  // namespace
}  // namespace dhyan
