#include "translator/text_models.h"

#include <cmath>
#include <gtest/gtest.h>

#include "config/model_kinds.h"
#include "core/testing/thrown.h"
#include "kernels/simd/runtime.h"
#include "text/character_tokenizer.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/testing/small_subwords.h"
#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"
#include "translator/translation_options.h"

namespace dhyan {
namespace {

Config tiny(const char* kind) {
  Config config;
  config.model = kind;
  config.common.hidden = 8;
  config.common.attention = {.score = "scaled_dot", .heads = 2};
  config.common.tying = Tying::kDecoder;
  config.transformer.feed_forward = 12;
  config.transformer.longest = 16;
  return config;
}

LoadedModel tiny_model(const char* kind, const std::shared_ptr<const Tokenizer>& tokenizer) {
  const Config config = tiny(kind);
  const TokenizerPair tokenizers{tokenizer, tokenizer};
  auto model = make_model(config, tokenizers, Rng(1));
  Rng rng(2);
  for (Parameter& weight : model->parameters()) {
    for (Real& x : weight.value.span()) x = static_cast<Real>(rng.uniform(-0.7, 0.7));
  }
  return {config, tokenizers, std::move(model)};
}

class Texts : public ::testing::Test {
 protected:
  const std::shared_ptr<const Tokenizer> characters_ =
      std::make_shared<CharacterTokenizer>(vocabulary_of<CharacterTokenizer>({"to be or not"}));
  const std::shared_ptr<const Tokenizer> words_ =
      std::make_shared<WordTokenizer>(vocabulary_of<WordTokenizer>({"I am eating food you are drinking water"}));
  const Writer writer_{tiny_model("language-model", characters_)};
  const Filler filler_{tiny_model("masked-language-model", words_)};
  ThreadPool pool_ = kernels::make_thread_pool(2);
};

TEST(TextsInSubwords, HaveNoSingleBytes) {
  const auto subwords = std::make_shared<SentencePieceTokenizer>(small_subwords(SubwordAlgorithm::kUnigram, true), "t");
  EXPECT_EQ(byte_tokens(*subwords).size(), 256U);
  const Writer writer{tiny_model("language-model", subwords)};
  for (const Continued& text : writer.write("", {.sampling = {.max_length = 50}, .count = 5})) {
    EXPECT_EQ(text.text.find("\uFFFD"), std::string::npos) << text.text;
    for (const TokenId token : text.hypothesis.tokens) EXPECT_FALSE(subwords->is_byte(token)) << token;
  }
}

TEST_F(Texts, ContinueWithTheSameWordsForTheSameSeed) {
  const GenerationOptions options{.sampling = {.max_length = 50}, .seed = 4, .count = 3};  // well beyond the context
  const std::vector<Continued> texts = writer_.write("to b", options), again = writer_.write("to b", options);
  ASSERT_EQ(texts.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(texts[i].text, again[i].text);
    EXPECT_EQ(std::ssize(texts[i].hypothesis.tokens), 50);
  }
  EXPECT_NE(texts[0].text, texts[1].text);
  EXPECT_NE(texts[0].text, writer_.write("to b", {options.sampling, 5, 1}).front().text);
  EXPECT_NE(texts[0].hypothesis.tokens, writer_.write("not", options).front().hypothesis.tokens);
  EXPECT_EQ(std::ssize(writer_.write("", options).front().hypothesis.tokens), 50);
}

// The first of several texts equals the text that is written alone.
TEST_F(Texts, DoNotDependOnTheOtherTexts) {
  const SamplingOptions sampling{.max_length = 30};
  EXPECT_EQ(writer_.write("be", {sampling, 1, 3}).front().text, writer_.write("be", {sampling, 1, 1}).front().text);
}

TEST_F(Texts, ContinueAfterASpaceIfWordsAreSeparated) {
  const Writer of_words(tiny_model("language-model", words_));
  const GenerationOptions greedy{.sampling = {.temperature = 0, .max_length = 1}};
  const Continued next = of_words.write("I am", greedy).front();
  const std::string word = words_->decode(next.hypothesis.tokens);
  EXPECT_EQ(next.text, next.hypothesis.tokens.front() == kEnd ? "\n" : " " + word);
  Index calls = 0;
  GenerationOptions polled = greedy;
  polled.sampling.max_length = 5;
  polled.sampling.poll = [&calls] { ++calls; };
  of_words.write("I", polled);
  EXPECT_EQ(calls, 5);
}

TEST_F(Texts, CanBeMoreThanABatch) {
  const SamplingOptions sampling{.max_length = 3};
  const std::vector<Continued> many = writer_.write("be", {sampling, 1, 70}),
                               few = writer_.write("be", {sampling, 1, 1});
  ASSERT_EQ(many.size(), 70U);
  EXPECT_EQ(many.front().text, few.front().text);
}

TEST_F(Texts, AreScoredAsTheyAreRead) {
  const Continued read = writer_.read("to be\nor not");
  EXPECT_EQ(std::ssize(read.hypothesis.tokens), 12);
  EXPECT_EQ(read.hypothesis.tokens[5], kEnd);
  const std::vector<std::string> lines{"to be", "or not"};  // 13 tokens with both ends: one stretch
  const Fit fit = writer_.fit(lines, pool_);
  EXPECT_EQ(fit.tokens, 13);
  EXPECT_NEAR(fit.perplexity, std::exp(fit.loss), 1e-9);
  const Continued ended = writer_.read("to be\nor not\n");
  EXPECT_NEAR(fit.loss * 13, -ended.hypothesis.log_probability, 1e-3);
  EXPECT_THROW(writer_.fit({}, pool_), DataError);
}

TEST_F(Texts, GapsAreFilledWithProbabilities) {
  const Filled filled = filler_.fill("I [MASK] eating [MASK]", 4);
  ASSERT_EQ(filled.gaps.size(), 2U);
  for (const std::vector<Filling>& gap : filled.gaps) {
    ASSERT_EQ(gap.size(), 4U);
    double sum = 0;
    for (std::size_t i = 0; i < gap.size(); ++i) {
      sum += gap[i].probability;
      EXPECT_GE(gap[i > 0 ? i - 1 : 0].probability, gap[i].probability);
    }
    EXPECT_LE(sum, 1 + 1e-6);
  }
  EXPECT_EQ(filled.text, cat("I ", filled.gaps[0][0].text, " eating ", filled.gaps[1][0].text));
  EXPECT_EQ(thrown<UsageError>([&] { filler_.fill("I am", 3); }), "fill: there is no [MASK] in the text");
}

TEST_F(Texts, HaveVectorsThatDoNotDependOnOtherTexts) {
  const std::vector<std::string> lines{"I am eating food", "", "you are drinking water"};
  int polls = 0;
  const auto vectors = filler_.embed(lines, [&] { ++polls; });
  EXPECT_EQ(polls, std::ssize(lines));
  ASSERT_EQ(vectors.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(vectors[i].size(), 8U);
    EXPECT_EQ(vectors[i], filler_.embed(std::span(&lines[i], 1)).front());
  }
  EXPECT_EQ(vectors[1], std::vector<Real>(8, 0));
  EXPECT_NE(vectors[0], vectors[2]);
}

TEST_F(Texts, HaveTheSameHeldOutLossEachTime) {
  const std::vector<std::string> lines{"I am eating food", "you are drinking water"};
  const Fit fit = filler_.fit(lines, pool_);
  EXPECT_EQ(fit.tokens, 2);  // 15 % of four words, at least one, of each
  EXPECT_EQ(fit.loss, filler_.fit(lines, pool_).loss);
}

TEST_F(Texts, NeedAModelOfTheirKind) {
  EXPECT_EQ(thrown<ModelFileError>([&] { Writer(tiny_model("masked-language-model", words_)); }),
            "the model is of the kind masked-language-model, an encoder that predicts masked tokens; it cannot "
            "continue a text. It is for dhyan fill, embed, explain and evaluate");
  EXPECT_THROW(Filler(tiny_model("language-model", words_)), ModelFileError);
}

}  // namespace
}  // namespace dhyan
