#include "text/tokenizer_factory.h"

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "text/nfc.h"
#include "text/testing/check_offsets.h"
#include "text/testing/small_corpus.h"
#include "text/tokenizer_choice.h"

namespace dhyan {
namespace {

class TokenizerFolder : public FolderTest {};

TEST_F(TokenizerFolder, StoresEveryKindSharedOrSeparate) {
  for (const TokenizerKind& kind : tokenizer_kinds()) {
    SCOPED_TRACE(kind.name);
    const std::vector<std::string> corpus = small_corpus(), half(corpus.begin(), corpus.begin() + 300);
    TokenizerOptions options = small_vocabulary();
    if (!is_subword_kind(kind.name)) options.vocabulary_size = 500;  // bytes, or each letter in two places of a word
    const std::shared_ptr<const Tokenizer> both = kind.train(lines_of(corpus), options, {}).tokenizer;
    const std::shared_ptr<const Tokenizer> other = kind.train(lines_of(half), options, {}).tokenizer;
    for (const TokenizerPair& pair : {TokenizerPair{both, both}, TokenizerPair{both, other}}) {
      const std::filesystem::path folder = folder_ / cat(kind.name, pair.shared());
      std::filesystem::create_directories(folder);
      save_tokenizers(pair, folder);
      const TokenizerPair loaded = load_tokenizers(kind.name, folder);
      EXPECT_EQ(loaded.shared(), pair.shared());
      EXPECT_EQ(loaded.source->fingerprint(), pair.source->fingerprint());
      EXPECT_EQ(loaded.target->fingerprint(), pair.target->fingerprint());
      for (const std::string& line : small_corpus(20)) {
        const Encoded encoded = loaded.source->encode(line);
        check_offsets(line, encoded);
        EXPECT_EQ(encoded.ids, pair.source->encode(line).ids);
        if (!kind.keeps_text) continue;
        EXPECT_EQ(loaded.source->decode(encoded.ids), nfc(line));
      }
    }
  }
}

TEST_F(TokenizerFolder, IsRefusedWithAMissingOrAnExtraSide) {
  const auto refusal = [&] { return thrown<ModelFileError>([&] { load_tokenizers("word", folder_); }); };
  const std::string expected = "; expected source.vocab and target.vocab, or shared.vocab";
  EXPECT_EQ(refusal(), folder_.string() + ": target.vocab and source.vocab are missing" + expected);
  write("source.vocab", "");
  EXPECT_EQ(refusal(), folder_.string() + ": target.vocab is missing" + expected);
  std::filesystem::rename(folder_ / "source.vocab", folder_ / "target.vocab");
  EXPECT_EQ(refusal(), folder_.string() + ": source.vocab is missing" + expected);
  write("shared.vocab", "");
  EXPECT_EQ(refusal(), folder_.string() + ": holds shared.vocab and target.vocab; expected one of the two");
}

TEST_F(TokenizerFolder, LearnsFromAFile) {
  write("train.txt", "a b\r\na c\n");
  const TrainedTokenizer trained =
      tokenizer_kind("word").train(lines_of(folder_ / "train.txt"), small_vocabulary(), {});
  EXPECT_EQ(trained.tokenizer->size(), 4 + 3);
  EXPECT_EQ(trained.tokenizer->piece(4), "a");
  EXPECT_EQ(trained.report.lines, 2);
  EXPECT_EQ(thrown<IoError>([&] { lines_of(folder_ / "none.txt"); }),
            (folder_ / "none.txt").string() + ": cannot open");
}

TEST(TokenizerKinds, AreListedInTheErrorForAnUnknownName) {
  EXPECT_EQ(thrown<ConfigError>([] { tokenizer_kind("syllable"); }),
            "tokenizer: there is no kind 'syllable', expected one of unigram, bpe, word, char, pieces, wordpiece, "
            "wordpiece-accents, "
            "wordpiece-cased, byte-bpe, subword-nmt");
}

}  // namespace
}  // namespace dhyan
