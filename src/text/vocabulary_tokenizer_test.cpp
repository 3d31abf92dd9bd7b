#include "text/vocabulary_tokenizer.h"

#include "core/error.h"
#include "core/testing/thrown.h"
#include "text/character_tokenizer.h"
#include "text/testing/check_offsets.h"
#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"

namespace dhyan {
namespace {

using Ids = std::vector<TokenId>;
using Ranges = std::vector<ByteRange>;

TEST(Words, AreSeparatedBySpaces) {
  const auto words = trained_on<WordTokenizer>({"मैं खाना खा रहा हूँ", "मैं  \t पानी\u3000पी रहा हूँ"});
  const Encoded encoded = words.encode("  मैं \t खाना ");
  EXPECT_EQ(encoded.pieces, (Ranges{{2, 11}, {14, 26}}));
  EXPECT_EQ(words.piece(encoded.ids[0]), "मैं");
  EXPECT_EQ(words.piece(encoded.ids[1]), "खाना");
  EXPECT_EQ(words.decode(encoded.ids), "मैं खाना");
  EXPECT_EQ(words.size(), 4 + 7);
}

TEST(Words, BecomeUnkIfUnknown) {
  const auto words = trained_on<WordTokenizer>({"a b"});
  EXPECT_EQ(words.encode("a c </s> b").ids, (Ids{4, kUnknown, kUnknown, 5}));
  EXPECT_EQ(words.decode(Ids{kBegin, 4, kUnknown, 5, kEnd, kPad}), "a <unk> b");
}

TEST(Words, AreTheSameInBothUnicodeSpellings) {
  const auto words = trained_on<WordTokenizer>({"बड़ा café"});
  const std::string line = "x ब\u095Cा cafe\u0301";
  const Encoded encoded = words.encode(line);
  EXPECT_EQ(words.decode(encoded.ids), "<unk> ब\u0921\u093Cा café");
  EXPECT_EQ(encoded.pieces, (Ranges{{0, 1}, {2, 11}, {12, 18}}));
  check_offsets(line, encoded);
}

TEST(CharacterTokens, RoundTripWithEverySpace) {
  const std::string line = "  क्षि  हूँ\t\u00A0e ";
  const auto characters = trained_on<CharacterTokenizer>({line});
  const Encoded encoded = characters.encode(line);
  EXPECT_EQ(static_cast<Index>(encoded.ids.size()), count_characters(line));
  EXPECT_EQ(characters.decode(encoded.ids), line);
  check_offsets(line, encoded);
}

TEST(CharacterTokens, MapComposedCharactersToTheOriginalLine) {
  const auto characters = trained_on<CharacterTokenizer>({"éa\u0921\u093C"});
  const std::string line = "e\u0301a\u095C";
  const Encoded encoded = characters.encode(line);
  EXPECT_EQ(encoded.pieces, (Ranges{{0, 3}, {3, 4}, {4, 4}, {4, 7}}));
  EXPECT_EQ(characters.decode(encoded.ids), "éa\u0921\u093C");
  check_offsets(line, encoded);
}

TEST(CharacterTokens, KeepTheirPlaceIfUnknown) {
  const auto characters = trained_on<CharacterTokenizer>({"ab"});
  EXPECT_EQ(characters.encode("aह").ids, (Ids{4, kUnknown}));
  EXPECT_EQ(characters.decode(Ids{4, kUnknown, 5, kEnd}), "a\uFFFDb");
}

TEST(VocabularyTokenizers, AcceptAnEmptyLineAndRefuseBadBytes) {
  const auto words = trained_on<WordTokenizer>({"a b"});
  const auto characters = trained_on<CharacterTokenizer>({"a b"});
  for (const Tokenizer* tokenizer :
       {static_cast<const Tokenizer*>(&words), static_cast<const Tokenizer*>(&characters)}) {
    EXPECT_TRUE(tokenizer->encode("").ids.empty());
    EXPECT_EQ(tokenizer->decode({}), "");
    EXPECT_EQ(thrown<DataError>([&] { tokenizer->encode("a\xE0\xA4"); }), "encode: byte 2 is not UTF-8 (0xe0)");
    EXPECT_EQ(thrown<UsageError>([&] { tokenizer->decode(Ids{99}); }),
              cat("vocabulary: there is no token 99 among ", tokenizer->size()));
    Rng rng(1);
    EXPECT_EQ(tokenizer->encode_sampled("a b", rng).ids, tokenizer->encode("a b").ids);
  }
}

TEST(VocabularyTokenizers, HaveDifferentFingerprints) {
  const auto words = trained_on<WordTokenizer>({"a b"});
  EXPECT_EQ(words.fingerprint(), trained_on<WordTokenizer>({"b a"}).fingerprint());
  EXPECT_NE(words.fingerprint(), trained_on<WordTokenizer>({"a c"}).fingerprint());
  EXPECT_NE(words.fingerprint(), CharacterTokenizer(words.vocabulary()).fingerprint());
}

TEST(VocabularyTokenizers, EncodeAMegabyteInLinearTime) {
  std::string line;
  while (line.size() < 1'000'000) line += "बड़ा cafe\u0301 ";
  const auto words = trained_on<WordTokenizer>({line});
  const auto characters = trained_on<CharacterTokenizer>({line});
  check_offsets(line, words.encode(line));
  check_offsets(line, characters.encode(line));
}

}  // namespace
}  // namespace dhyan
