#include "text/piece_tokenizer.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "text/testing/check_offsets.h"
#include "text/testing/small_corpus.h"
#include "text/tokenizer_factory.h"

namespace dhyan {
namespace {

Vocabulary vocabulary_of(const std::vector<std::string>& tokens) {
  std::string file;
  for (const std::string_view special : kSpecialTokens) file += cat(special, '\n');
  for (const std::string& token : tokens) file += escape_token(token) + '\n';
  return Vocabulary::parse("test", file);
}

std::vector<std::string> pieces_of(const Tokenizer& tokenizer, std::string_view line) {
  const Encoded encoded = tokenizer.encode(line);
  check_offsets(std::string(line), encoded);
  std::vector<std::string> pieces;
  for (const TokenId id : encoded.ids) pieces.emplace_back(tokenizer.piece(id));
  return pieces;
}

using Pieces = std::vector<std::string>;

std::shared_ptr<const SentencePieceTokenizer> segmenter_of_corpus(const std::filesystem::path& folder) {
  tokenizer_kind("unigram").train(lines_of(small_corpus()), small_vocabulary(), {}).tokenizer->save(folder, "any");
  return SentencePieceTokenizer::load(folder / "any.model");
}

class PieceTokenizers : public FolderTest {};

TEST_F(PieceTokenizers, GiveThePiecesOfTheModelTheIdsOfTheVocabulary) {
  const auto segmenter = segmenter_of_corpus(folder_);
  std::vector<std::string> reversed;
  for (TokenId id = static_cast<TokenId>(segmenter->size() - 1); id > kEnd; --id) {
    reversed.emplace_back(segmenter->piece(id));
  }
  const PieceTokenizer tokenizer(vocabulary_of(reversed), segmenter);
  for (const std::string& line : small_corpus(20)) {
    const Encoded theirs = segmenter->encode(line), ours = tokenizer.encode(line);
    EXPECT_EQ(theirs.pieces, ours.pieces);
    ASSERT_EQ(theirs.ids.size(), ours.ids.size());
    for (std::size_t i = 0; i < ours.ids.size(); ++i) {
      const Index id = theirs.ids[i] > kEnd ? segmenter->size() - theirs.ids[i] + kEnd : theirs.ids[i];
      EXPECT_EQ(ours.ids[i], id);
    }
    EXPECT_EQ(tokenizer.decode(ours.ids), segmenter->decode(theirs.ids));
  }
}

TEST_F(PieceTokenizers, LookUpTextThatOnlyTheVocabularyKnows) {
  const PieceTokenizer tokenizer(vocabulary_of({"☃"}), segmenter_of_corpus(folder_));
  const Encoded encoded = tokenizer.encode("☃");
  EXPECT_EQ(tokenizer.piece(encoded.ids.back()), "☃");
}

TEST_F(PieceTokenizers, SurviveSaving) {
  const PieceTokenizer with(vocabulary_of({"a"}), segmenter_of_corpus(folder_)), without(vocabulary_of({"a"}), nullptr);
  with.save(folder_, "source");
  without.save(folder_, "target");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "target.model"));
  const TokenizerPair pair = load_tokenizers("pieces", folder_);
  EXPECT_EQ(pair.source->fingerprint(), with.fingerprint());
  EXPECT_EQ(pair.target->fingerprint(), without.fingerprint());
  EXPECT_NE(with.fingerprint(), without.fingerprint());
}

TEST(PieceTokenizer, ReadsLanguageTokensBeforeALine) {
  const PieceTokenizer tokenizer(vocabulary_of({">>por<<", "▁Good", "▁>>", "fra", "<<"}), nullptr);
  EXPECT_EQ(pieces_of(tokenizer, ">>por<< Good"), (Pieces{">>por<<", "▁Good"}));
  EXPECT_EQ(pieces_of(tokenizer, ">>fra<< Good"), (Pieces{"▁>>", "fra", "<<", "▁Good"}));
  EXPECT_EQ(pieces_of(tokenizer, ">>por<<"), (Pieces{">>por<<"}));
  EXPECT_TRUE(tokenizer.encode("").ids.empty());
}

TEST(PieceTokenizer, CutsByFrequencyWithoutAModel) {
  const PieceTokenizer tokenizer(vocabulary_of({"▁", "▁the", "s", "▁cat", "▁cats", "c", "at", "é"}), nullptr);
  EXPECT_EQ(pieces_of(tokenizer, " the  cats"), (Pieces{"▁the", "▁cats"}));
  EXPECT_EQ(pieces_of(tokenizer, "xyz ats"), (Pieces{"▁", "<unk>", "▁", "at", "s"}));
  EXPECT_EQ(tokenizer.decode(tokenizer.encode("the cats").ids), "the cats");
}

// A frequent word is one piece although its parts are more frequent than it.
TEST(PieceTokenizer, PrefersOnePieceToSeveralWithoutAModel) {
  std::vector<std::string> tokens{"x", "s", "y", "▁new"};
  for (int i = 0; i < 10; ++i) tokens.push_back(cat("x", i));
  tokens.push_back("▁news");
  EXPECT_EQ(pieces_of(PieceTokenizer(vocabulary_of(tokens), nullptr), "news"), (Pieces{"▁news"}));
}

TEST(PieceTokenizer, JoinsBytes) {
  const PieceTokenizer tokenizer(vocabulary_of({"▁a", "<0xC3>", "<0xA9>"}), nullptr);
  EXPECT_EQ(tokenizer.decode(std::vector<TokenId>{4, 5, 6}), "aé");
  EXPECT_TRUE(tokenizer.is_byte(5));
  EXPECT_FALSE(tokenizer.is_byte(4));
}

}  // namespace
}  // namespace dhyan
