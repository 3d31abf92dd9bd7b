// Tokenizers in the binary: the automatic choice, `dhyan encode` and `decode`, lexicons of tokens, and reports of
// unknown tokens.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "process.h"
#include "tiny_training.h"

namespace dhyan {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

// Models with subwords, words and characters, trained for a few steps.
class TokenizerCommands : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    corpus_ = new TinyCorpus;
    for (const std::string kind : {"auto", "word", "char"}) {
      const Finished finished = run(tiny_training(*corpus_, kind, {"--tokenizer", kind, "--max-epochs", "1"}));
      ASSERT_EQ(finished.code, 0) << finished.error;
      log_ += finished.error;
    }
  }
  static void TearDownTestSuite() { delete std::exchange(corpus_, nullptr); }

  static Finished call(Words words, const std::string& input = "") {
    words.insert(words.begin(), kBinary);
    return run(words, {}, input);
  }
  static std::string given(const Words& words, const std::string& input = "") {
    const Finished finished = call(words, input);
    EXPECT_EQ(finished.code, 0) << finished.error;
    EXPECT_EQ(finished.error, "");
    return finished.out;
  }
  static void refused(const Words& words, const std::string& input, int code, const std::string& message) {
    const Finished finished = call(words, input);
    EXPECT_EQ(finished.code, code);
    EXPECT_EQ(finished.error, cat("dhyan: error: ", message, "\n"));
  }
  static std::string path(std::string_view name) { return corpus_->path(name); }

  static TinyCorpus* corpus_;
  static std::string log_;  // of the trainings
};
TinyCorpus* TokenizerCommands::corpus_ = nullptr;
std::string TokenizerCommands::log_;

TEST_F(TokenizerCommands, TrainReportsItsChoiceAndUnknownCharacters) {
  EXPECT_TRUE(has(log_, "chosen from the text: tokenizer bpe; vocabulary-size 1000: one for every 100 of "));
  EXPECT_TRUE(has(log_, " tokens, fewer than the vocabulary-size chosen"));
  EXPECT_TRUE(has(log_, ": source: no <unk>; target: no <unk>"));
  const std::string config = corpus_->folder().read("auto/config.json");
  EXPECT_TRUE(has(config, "\"tokenizer\": \"bpe\""));
  EXPECT_TRUE(has(config, "\"vocabulary-size\": 1000"));
  EXPECT_TRUE(has(config, "\"character-coverage\": 1"));
}

TEST_F(TokenizerCommands, TrainRefusesAnImpossibleVocabularySize) {
  for (const std::string kind : {"bpe", "unigram", "word"}) {
    const Finished finished = run(tiny_training(*corpus_, "refused", {"--tokenizer", kind, "--vocabulary-size", "5"}));
    EXPECT_EQ(finished.code, 3);
    EXPECT_TRUE(has(finished.error, "dhyan: error: vocabulary-size is 5, expected ")) << finished.error;
    EXPECT_FALSE(std::filesystem::exists(path("refused")));
  }
}

TEST_F(TokenizerCommands, EncodeAndDecodeAreInverse) {
  const std::string text = "एक दो हैं\n\nपाँच तीन चार\n";
  for (const std::string model : {"auto", "word", "char"}) {
    const std::string pieces = given({"encode", "-m", path(model)}, text);
    EXPECT_EQ(std::ranges::count(pieces, '\n'), 3) << "a line for a line";
    EXPECT_EQ(given({"decode", "-m", path(model)}, pieces), text) << model << "\n" << pieces;
    const std::string ids = given({"encode", "-m", path(model), "--ids"}, text);
    EXPECT_EQ(ids.find_first_not_of("0123456789 \n"), ids.npos) << ids;
    EXPECT_EQ(given({"decode", "-m", path(model), "--ids"}, ids), text) << model;
  }
  EXPECT_EQ(given({"encode", "-m", path("word")}, "एक xyz"), "एक <unk>\n");
  EXPECT_EQ(given({"encode", "-m", path("char"), "--side", "target"}, "a r"), "a \\s r\n") << "as in vocabulary files";
}

TEST_F(TokenizerCommands, EncodeSpellsUnseenCharactersInBytes) {
  const std::string text = "one 日🙂 two\n",
                    pieces = given({"encode", "-m", path("auto"), "--side", "target"}, text);
  EXPECT_TRUE(has(pieces, " <0xE6> <0x97> <0xA5> <0xF0> <0x9F> <0x99> <0x82> ")) << pieces;
  EXPECT_EQ(given({"decode", "-m", path("auto"), "--side", "target"}, pieces), text);
}

TEST_F(TokenizerCommands, EncodeAndDecodeReadAndWriteFiles) {
  EXPECT_EQ(given({"encode", "-m", path("auto"), path("dev.hi"), "-o", path("dev.pieces.gz")}), "");
  EXPECT_EQ(given({"decode", "-m", path("auto"), path("dev.pieces.gz"), "-o", path("dev.again")}), "");
  EXPECT_EQ(corpus_->folder().read("dev.again"), corpus_->folder().read("dev.hi"));
  EXPECT_EQ(given({"encode", "-m", path("auto")}, ""), "");
}

TEST_F(TokenizerCommands, RefuseInvalidInput) {
  refused({"decode", "-m", path("word")}, "एक\nएक xyz\n", 3,
          "standard input:2: 'xyz' is not in the vocabulary of 10 tokens; expected tokens as dhyan encode writes them");
  for (const std::string wrong : {"10", "-1", "x", "1.5"}) {
    refused({"decode", "-m", path("word"), "--ids"}, wrong + "\n", 3,
            cat("standard input:1: '", wrong, "' is not a token id; expected a number from 0 to 9"));
  }
  refused({"encode", "-m", path("nothing")}, "", 3, cat(path("nothing"), ": there is no such folder"));
  EXPECT_EQ(call({"encode", "-m", path("word"), path("nothing")}).code, 3);
  EXPECT_EQ(call({"encode", "-m", path("word"), "--side", "both"}).code, 2);
  EXPECT_EQ(call({"encode"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(path("nothing")));
}

TEST_F(TokenizerCommands, DataCheckReportsUnknownTokens) {
  corpus_->folder().write("new.hi", "एक दो हैं\nएक 日\n");
  corpus_->folder().write("new.en", "one two are\none xyz\n");
  const Words check{"data", "check", path("new.hi"), path("new.en"), "-m"};
  const auto checked = [&](const std::string& model, bool json) {
    Words words = check;
    words.push_back(path(model));
    if (json) words.push_back("--json");
    return given(words);
  };
  const std::string words = checked("word", false);
  EXPECT_TRUE(has(words, "  of these <unk>               1             1\n")) << words;
  EXPECT_TRUE(has(words, "source: <unk> 1 of 5 tokens (20.00 %): 日 1\ntarget: <unk> 1 of 5 tokens (20.00 %): xyz 1\n"))
      << words;
  const Json json = Json::parse(checked("auto", true));
  EXPECT_EQ(json["source"]["tokenizer"]["unknown_tokens"], 0);
  EXPECT_EQ(json["source"]["tokenizer"]["byte_tokens"], 3);
  EXPECT_EQ(json["source"]["tokenizer"]["spelled_in_bytes"][0]["text"], "日");
  EXPECT_TRUE(json["target"]["tokenizer"]["tokens"] > 0);
}

TEST_F(TokenizerCommands, DataLexiconWritesLexiconsForShortlists) {
  std::string alignments;
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t j = 0; j <= i % 3 + 1; ++j) alignments += cat(j == 0 ? "" : " ", j, "-", j);
    alignments += '\n';
  }
  corpus_->folder().write("train.align", alignments);
  const Words corpus{"data", "lexicon", path("train.hi"), path("train.en"), "--alignments", path("train.align")};
  const std::string lexicon = given(corpus);
  EXPECT_TRUE(has(lexicon, "one एक 1.0000000\n")) << lexicon;
  EXPECT_TRUE(has(lexicon, "are हैं 1.0000000\n")) << lexicon;
  for (const std::string model : {"auto", "word"}) {
    Words words = corpus;
    words.insert(words.end(), {"-m", path(model), "-o", path("lex.s2t.gz")});
    EXPECT_EQ(given(words), "");
    const Finished translated = call({"translate", "-m", path(model), "--shortlist", path("lex.s2t.gz"),
                                      "--shortlist-first", "0", "--shortlist-best", "1", path("dev.hi")});
    EXPECT_EQ(translated.code, 0) << translated.error;
    EXPECT_EQ(std::ranges::count(translated.out, '\n'), 2);
  }
  refused({"data", "lexicon", path("train.hi"), path("train.en"), "--alignments", path("dev.hi")}, "", 3,
          cat(path("dev.hi"),
              ":1: 'एक' is not a link; expected source-target as in 0-2, or 0p2 or 0?2 for a possible one"));
  EXPECT_EQ(call({"data", "lexicon", path("train.hi"), path("train.en")}).code, 2) << "alignments are needed";
}

}  // namespace
}  // namespace dhyan
