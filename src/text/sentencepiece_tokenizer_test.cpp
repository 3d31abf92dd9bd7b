#include "text/sentencepiece_tokenizer.h"

#include <algorithm>
#include <chrono>
#include <sentencepiece_trainer.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "text/nfc.h"
#include "text/testing/check_offsets.h"
#include "text/testing/small_subwords.h"

namespace dhyan {
namespace {

using namespace std::string_view_literals;
using Ids = std::vector<TokenId>;
using Ranges = std::vector<ByteRange>;

// Trained once for all tests.
const std::string& model(SubwordAlgorithm algorithm, bool byte_fallback = false) {
  static const std::string models[] = {
      small_subwords(SubwordAlgorithm::kUnigram), small_subwords(SubwordAlgorithm::kUnigram, true),
      small_subwords(SubwordAlgorithm::kBpe), small_subwords(SubwordAlgorithm::kBpe, true)};
  return models[(algorithm == SubwordAlgorithm::kBpe ? 2 : 0) + (byte_fallback ? 1 : 0)];
}

// A model of a user, with the library's defaults except for `settings`.
std::string foreign_model(std::unordered_map<std::string, std::string> settings) {
  struct Lines final : sentencepiece::SentenceIterator {
    std::vector<std::string> lines = small_corpus();
    std::size_t at = 0;
    bool done() const override { return at == lines.size(); }
    void Next() override { ++at; }
    const std::string& value() const override { return lines[at]; }
    sentencepiece::util::Status status() const override { return {}; }
  } lines;
  std::string bytes;
  settings.insert({{"vocab_size", "110"}, {"minloglevel", "3"}, {"character_coverage", "1.0"}});
  const auto status = sentencepiece::SentencePieceTrainer::Train(settings, &lines, &bytes);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return bytes;
}

const std::vector<std::string> kLines = {
    "",
    " ",
    "मैं खाना खा रहा हूँ।",
    "  मैं   खाना \t खा  ",
    "the boy is eating bread, unfortunately.",
    "क्षि र्क ड़ा \u095C\u093E विद्यार्थी",
    "cafe\u0301 日本 🙂 x",
    "no\u00A0break, ½ ﬁ",
    "<s> </s> <unk> <0x41>",
};

class EverySubwordModel : public testing::TestWithParam<std::pair<SubwordAlgorithm, bool>> {
 protected:
  const std::string& bytes() const { return model(GetParam().first, GetParam().second); }
  const SentencePieceTokenizer tokenizer_{bytes(), "m"};
};

INSTANTIATE_TEST_SUITE_P(, EverySubwordModel,
                         testing::Values(std::pair{SubwordAlgorithm::kUnigram, false},
                                         std::pair{SubwordAlgorithm::kUnigram, true},
                                         std::pair{SubwordAlgorithm::kBpe, false},
                                         std::pair{SubwordAlgorithm::kBpe, true}));

TEST_P(EverySubwordModel, HasTheSpecialTokensFirst) {
  EXPECT_EQ(tokenizer_.algorithm(), GetParam().first);
  for (std::size_t id = 0; id < kSpecialTokens.size(); ++id) {
    EXPECT_EQ(tokenizer_.piece(static_cast<TokenId>(id)), kSpecialTokens[id]);
  }
  EXPECT_EQ(tokenizer_.size(), GetParam().second ? 366 : 110);
}

TEST_P(EverySubwordModel, RoundTripsItsCorpus) {
  for (const std::string& line : small_corpus(200)) {
    const Encoded encoded = tokenizer_.encode(line);
    ASSERT_EQ(tokenizer_.decode(encoded.ids), nfc(line));
    check_offsets(line, encoded);
  }
}

TEST_P(EverySubwordModel, HasOffsetsInTheOriginalLine) {
  for (const std::string& line : kLines) check_offsets(line, tokenizer_.encode(line));
  check_offsets("a▁b", tokenizer_.encode("a▁b"));  // the space mark of SentencePiece
}

TEST_P(EverySubwordModel, TreatsSeveralSpacesAsOne) {
  EXPECT_EQ(tokenizer_.encode("  मैं \t  खाना ").ids, tokenizer_.encode("मैं खाना").ids);
  EXPECT_TRUE(tokenizer_.encode("").ids.empty());
  EXPECT_TRUE(tokenizer_.encode("   ").ids.empty());
  EXPECT_EQ(tokenizer_.decode({}), "");
}

TEST_P(EverySubwordModel, EncodesBothUnicodeSpellingsAlike) {
  EXPECT_EQ(tokenizer_.encode("ल\u095Cका").ids, tokenizer_.encode("ल\u0921\u093Cका").ids);
}

TEST_P(EverySubwordModel, NeverReadsASpecialTokenFromText) {
  for (const std::string& line : kLines) {
    for (const TokenId id : tokenizer_.encode(line).ids) EXPECT_FALSE(stands_for_no_text(id)) << line;
  }
}

TEST_P(EverySubwordModel, SkipsSpecialTokensAndRefusesUnknownIds) {
  Ids ids = tokenizer_.encode("मैं खाना").ids;
  ids.insert(ids.begin(), kBegin);
  ids.push_back(kEnd);
  ids.push_back(kPad);
  EXPECT_EQ(tokenizer_.decode(ids), "मैं खाना");
  EXPECT_EQ(thrown<UsageError>([&] { tokenizer_.decode(Ids{-1}); }),
            cat("vocabulary: there is no token -1 among ", tokenizer_.size()));
  EXPECT_EQ(thrown<DataError>([&] { tokenizer_.encode("ab\xC0"); }), "encode: byte 3 is not UTF-8 (0xc0)");
}

TEST_P(EverySubwordModel, EncodesAMegabyteInLinearTime) {
  const SentencePieceTokenizer sampling(bytes(), "m", SubwordSampling{});
  const auto start = std::chrono::steady_clock::now();
  for (const char* words : {"विद्यार्थी café 日本 ", "eating"}) {
    std::string line;
    while (line.size() < 1'000'000) line += words;
    check_offsets(line, tokenizer_.encode(line));
    Rng rng(1);
    check_offsets(line, sampling.encode_sampled(line, rng));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));  // n² steps would take hours
}

TEST(SentencePiece, MarksUnknownCharactersAsOneUnk) {
  const SentencePieceTokenizer tokenizer(model(SubwordAlgorithm::kUnigram), "m");
  const Encoded encoded = tokenizer.encode("मैं 日本語");
  EXPECT_EQ(encoded.ids.back(), kUnknown);
  EXPECT_EQ(encoded.pieces.back(), (ByteRange{10, 19}));
  EXPECT_EQ(tokenizer.decode(encoded.ids), "मैं ⁇");
}

TEST(SentencePiece, SpellsUnknownCharactersInBytesWithByteFallback) {
  const SentencePieceTokenizer tokenizer(model(SubwordAlgorithm::kBpe, true), "m");
  const std::string line = "मैं 日🙂";
  const Encoded encoded = tokenizer.encode(line);
  EXPECT_EQ(tokenizer.decode(encoded.ids), line);
  EXPECT_EQ(std::count(encoded.ids.begin(), encoded.ids.end(), kUnknown), 0);
  const Ranges last(encoded.pieces.end() - 7, encoded.pieces.end());
  EXPECT_EQ(last, (Ranges{{10, 10}, {10, 10}, {10, 13}, {13, 13}, {13, 13}, {13, 13}, {13, 17}}));
  EXPECT_EQ(tokenizer.piece(encoded.ids.back()), "<0x82>");
}

TEST(SentencePiece, ExcludesSpacesFromTheRangesOfPieces) {
  const SentencePieceTokenizer tokenizer(model(SubwordAlgorithm::kBpe), "m");
  const Encoded encoded = tokenizer.encode("  the   the ");
  EXPECT_EQ(encoded.pieces, (Ranges{{2, 5}, {8, 11}}));
  EXPECT_EQ(tokenizer.piece(encoded.ids[0]), "▁the");
}

TEST(SentencePiece, AcceptsAUsersModelWithOtherIds) {
  // pad 3, unk 0, bos 1, no eos; NFKC of its own.
  const SentencePieceTokenizer tokenizer(
      foreign_model({{"model_type", "bpe"}, {"pad_id", "3"}, {"eos_id", "-1"}, {"bos_id", "1"}, {"unk_id", "0"}}), "m");
  EXPECT_EQ(tokenizer.size(), 111);  // with the </s> it lacks
  for (std::size_t id = 0; id < kSpecialTokens.size(); ++id) {
    EXPECT_EQ(tokenizer.piece(static_cast<TokenId>(id)), kSpecialTokens[id]);
  }
  for (const std::string& line : small_corpus(100)) {
    const Encoded encoded = tokenizer.encode(line);
    ASSERT_EQ(tokenizer.decode(encoded.ids), nfc(line));
    for (const TokenId id : encoded.ids) ASSERT_GE(id, 4);
  }
  EXPECT_EQ(tokenizer.decode(Ids{kPad, kBegin, kEnd}), "");
  for (const std::string& line : kLines) check_offsets(line, tokenizer.encode(line));
  EXPECT_EQ(tokenizer.encode("日本").ids.back(), kUnknown);
}

TEST(SentencePiece, SamplesAUsersModelWithItsOwnNormaliser) {
  for (const char* type : {"unigram", "bpe"}) {
    for (const char* fallback : {"false", "true"}) {
      const SentencePieceTokenizer certain(foreign_model({{"model_type", type},
                                                          {"byte_fallback", fallback},
                                                          {"vocab_size", fallback == "true"sv ? "370" : "114"},
                                                          {"user_defined_symbols", "<x>,ना,e"}}),
                                           "m", SubwordSampling{.alpha = 1e6, .dropout = 0});
      Rng rng(1);
      std::vector<std::string> lines = small_corpus(100);
      lines.insert(lines.end(), kLines.begin(), kLines.end());
      for (const char* line : {"½<x>ना ﬁ<x", "㌔ a\u3000b", "Ⅻ the½日½"}) lines.emplace_back(line);
      for (const std::string& line : lines) {
        const Encoded sampled = certain.encode_sampled(line, rng), best = certain.encode(line);
        ASSERT_EQ(sampled.ids, best.ids) << type << ": " << line;
        ASSERT_EQ(sampled.pieces, best.pieces) << type << ": " << line;
      }
    }
  }
}

TEST(SentencePiece, DoesNotNormaliseLinesForAModelWithoutNfc) {
  // U+095C is not in NFC; a model with this piece must be given it unchanged.
  const std::string bytes =
      foreign_model({{"normalization_rule_name", "identity"}, {"user_defined_symbols", "\u095C"}});
  const SentencePieceTokenizer tokenizer(bytes, "m");
  const Encoded encoded = tokenizer.encode("\u095C");
  EXPECT_EQ(tokenizer.piece(encoded.ids.back()), "\u095C");
  EXPECT_EQ(tokenizer.decode(encoded.ids), "\u095C");
}

TEST(SentencePiece, HasAFingerprintThatDependsOnItsContent) {
  const SentencePieceTokenizer a(model(SubwordAlgorithm::kBpe), "a"), b(model(SubwordAlgorithm::kBpe), "b");
  const SentencePieceTokenizer other(model(SubwordAlgorithm::kUnigram), "c");
  EXPECT_EQ(a.fingerprint(), b.fingerprint());
  EXPECT_NE(a.fingerprint(), other.fingerprint());
}

class SentencePieceFile : public FolderTest {};

TEST_F(SentencePieceFile, RoundTripsByteForByteWithAReadableVocabulary) {
  const SentencePieceTokenizer saved(model(SubwordAlgorithm::kUnigram), "m");
  saved.save(folder_, "source");
  EXPECT_EQ(read("source.model"), model(SubwordAlgorithm::kUnigram));
  EXPECT_TRUE(read("source.vocab").starts_with("<pad>\n<unk>\n<s>\n</s>\n")) << read("source.vocab");
  const auto loaded = SentencePieceTokenizer::load(folder_ / "source.model");
  EXPECT_EQ(loaded->fingerprint(), saved.fingerprint());
  EXPECT_EQ(loaded->encode(kLines[2]).ids, saved.encode(kLines[2]).ids);
}

TEST_F(SentencePieceFile, IsRefusedIfDamaged) {
  const std::string& good = model(SubwordAlgorithm::kUnigram);
  for (const std::string& bytes : {std::string(), std::string("garbage"), good.substr(0, good.size() / 2),
                                   "\x0a\x05\x0a\x03\xff\xfe\xfd" + good}) {
    write("x.model", bytes);
    const std::string message = thrown<ModelFileError>([&] { SentencePieceTokenizer::load(folder_ / "x.model"); });
    EXPECT_TRUE(message.starts_with((folder_ / "x.model").string() + ": ")) << message;
  }
  EXPECT_EQ(thrown<ModelFileError>([] { SentencePieceTokenizer("garbage", "m"); }),
            "m: not a SentencePiece model, or damaged");
}

}  // namespace
}  // namespace dhyan
