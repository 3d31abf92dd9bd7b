#include "translator/translation_options.h"

#include <gtest/gtest.h>
#include <set>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "kernels/simd/runtime.h"
#include "text/character_tokenizer.h"
#include "translator/split_lines.h"
#include "translator/testing/fake_model.h"

namespace dhyan {
namespace {

Translator fake_translator(const TranslatorLimits& limits = {}) {
  return Translator(LoadedModel{{}, fake_tokenizers(), std::make_unique<FakeModel>(1)}, limits);
}

const TranslatorLimits kSmallBatches{.batch = {.max_tokens = 40, .max_sentences = 7}};

// As many options as can be combined.
std::vector<TranslationOptions> many_options() {
  std::vector<TranslationOptions> all(6);
  for (TranslationOptions& options : all) options.search = {.beam_size = 4, .n_best = 2, .max_length = 12};
  all[0].sampling = SamplingOptions{.temperature = 1.5};
  all[1].sampling = SamplingOptions{.top_k = 3};
  all[1].forbidden = {"am"};
  all[2].search.coverage_penalty = 0.3;
  all[2].search.length_norm = LengthNorm::kWu;
  all[3].search.groups = 2;
  all[3].search.patience = 2;
  all[4].search.no_repeat_ngram = 1;
  all[4].search.min_length = 2;
  all[4].unknown = UnknownReplacement{};
  all[5].forbidden = {"eating am"};
  return all;
}

TEST(TranslationOptions, NoTranslationInCharactersHasBlanksAtItsEnds) {
  const TokenizerPair words = fake_tokenizers();
  const auto characters = std::make_shared<CharacterTokenizer>(vocabulary_of<CharacterTokenizer>({"a b"}));
  const Translator translator(LoadedModel{{}, {words.source, characters}, std::make_unique<FakeModel>()}, {});
  TranslationOptions options{.search = {.n_best = 5, .max_length = 4}};
  int with_blanks = 0;
  for (const bool sampled : {false, true}) {
    if (sampled) options.sampling = SamplingOptions{};
    for (const auto& n_best : translator.translate_with(fake_lines(10), options)) {
      for (const Translation& one : n_best) {
        const std::string decoded = characters->decode(one.hypothesis.tokens);
        with_blanks += decoded.starts_with(' ') || decoded.ends_with(' ');
        EXPECT_FALSE(one.text.starts_with(' ') || one.text.ends_with(' ')) << '\'' << one.text << '\'';
        EXPECT_NE(decoded.find(one.text), std::string::npos);
      }
    }
  }
  EXPECT_GT(with_blanks, 5);
}

TEST(TranslationOptions, TheLastWordOfARequiredPhraseDoesNotContinue) {
  const TokenizerPair words = fake_tokenizers();
  const auto characters = std::make_shared<CharacterTokenizer>(vocabulary_of<CharacterTokenizer>({"a b"}));
  const Translator translator(LoadedModel{{}, {words.source, characters}, std::make_unique<FakeModel>()}, {});
  const std::vector<std::string> lines = fake_lines(30);
  const TranslationOptions options{.search = {.max_length = 12}, .constraints = {lines.size(), {.required = {"ab"}}}};
  for (const auto& n_best : translator.translate_with(lines, options)) {
    if (n_best.front().source_tokens.empty()) continue;
    EXPECT_NE((n_best.front().text + " ").find("ab "), std::string::npos) << n_best.front().text;
  }
}

TEST(TranslationOptions, ALineIsTranslatedAsAloneWithAnyOptions) {
  const Translator translator = fake_translator(kSmallBatches);
  const std::vector<std::string> lines = fake_lines(30);
  ThreadPool pool(3, kernels::prepare_thread);
  for (TranslationOptions options : many_options()) {
    const auto together = translator.translate_with(lines, options, {.pool = &pool});
    for (std::size_t i = 0; i < lines.size(); ++i) {
      options.first_line = i;
      const auto alone = translator.translate_with(std::span(&lines[i], 1), options).front();
      ASSERT_EQ(alone.size(), together[i].size());
      for (std::size_t rank = 0; rank < alone.size(); ++rank) {
        EXPECT_EQ(alone[rank].text, together[i][rank].text);
        EXPECT_EQ(alone[rank].hypothesis.tokens, together[i][rank].hypothesis.tokens);
        EXPECT_EQ(alone[rank].hypothesis.score, together[i][rank].hypothesis.score);
      }
    }
  }
}

TEST(TranslationOptions, SamplesDependOnTheSeedAndTheLine) {
  const Translator translator = fake_translator();
  const std::vector<std::string> same(20, "मैं खाना खा रहा हूँ");
  TranslationOptions options{.search = {.beam_size = 1}, .sampling = SamplingOptions{}};
  const auto texts = [&] {
    std::vector<std::string> all;
    for (const auto& list : translator.translate_with(same, options)) all.push_back(list.front().text);
    return all;
  };
  const std::vector<std::string> first = texts();
  EXPECT_EQ(texts(), first);
  EXPECT_GT(std::set<std::string>(first.begin(), first.end()).size(), 4U);
  options.seed = 2;
  EXPECT_NE(texts(), first);
}

TEST(TranslationOptions, EachLineHasItsOwnConstraints) {
  const Translator translator = fake_translator(kSmallBatches);
  const std::vector<std::string> lines = fake_lines(12);
  TranslationOptions options{.search = {.beam_size = 3}};
  options.constraints.resize(12);
  for (std::size_t i = 0; i < 12; ++i) {
    if (i % 2 == 0) options.constraints[i].prefix = "eating am";
    if (i % 3 == 0) options.constraints[i].required = {"I am", "I I"};
  }
  const auto translations = translator.translate_with(lines, options);
  const auto plain = translator.translate(lines, options.search);
  for (std::size_t i = 0; i < 12; ++i) {
    const std::string& text = translations[i].front().text;
    const bool has_both = text.find("I am") != text.npos && text.find("I I") != text.npos;
    EXPECT_TRUE(i % 2 != 0 || text.starts_with("eating am")) << text;
    EXPECT_TRUE(i % 3 != 0 || has_both) << text;
    EXPECT_TRUE(i % 2 == 0 || i % 3 == 0 || text == plain[i].front().text);
  }
}

// A target of three characters, a, b and a blank.
TEST(TranslationOptions, ThePrefixIsAWholeWordUnlessItIsOpen) {
  const TokenizerPair characters{fake_tokenizers().source,
                                 std::make_shared<CharacterTokenizer>(vocabulary_of<CharacterTokenizer>({"a b"}))};
  ASSERT_EQ(characters.target->size(), FakeDecoding::kVocabulary);
  const Translator translator(LoadedModel{{}, characters, std::make_unique<FakeModel>()});
  const std::vector<std::string> lines = fake_lines(30);
  TranslationOptions options{.search = {.beam_size = 2}};
  options.constraints.assign(lines.size(), {.prefix = "ab"});
  const auto gone_on = [&] {
    std::ptrdiff_t count = 0;
    for (const auto& list : translator.translate_with(lines, options)) {
      const std::string& text = list.front().text;
      EXPECT_TRUE(text.starts_with("ab")) << text;
      count += text.size() > 2 && text[2] != ' ';
    }
    return count;
  };
  EXPECT_EQ(gone_on(), 0);
  options.prefix_open = true;
  EXPECT_GT(gone_on(), 5);
}

TEST(TranslationOptions, NamesWordsTheModelCannotWrite) {
  const Translator translator = fake_translator();
  const std::vector<std::string> lines{"खा", "खा"};
  TranslationOptions options;
  options.constraints = {{}, {.prefix = "I sing"}};
  options.first_line = 10;
  EXPECT_EQ(thrown<DataError>([&] { translator.translate_with(lines, options); }),
            "line 12: the model has no word for 'sing' and cannot write 'I sing'");
  options.constraints = {{.required = {"dance"}}, {}};
  EXPECT_EQ(thrown<DataError>([&] { translator.translate_with(lines, options); }),
            "line 11: the model has no word for 'dance' and cannot write 'dance'");
  options.required_file = "terms";
  EXPECT_EQ(thrown<DataError>([&] { translator.translate_with(lines, options); }),
            "terms:11: the model has no word for 'dance' and cannot write 'dance'");
  options.constraints.resize(1);
  EXPECT_EQ(thrown<UsageError>([&] { translator.translate_with(lines, options); }),
            "Translator: 2 lines and constraints for 1");
  const TranslationOptions unwritable{.forbidden = {"dance", "am"}};
  EXPECT_EQ(search_options(unwritable, *fake_tokenizers().target).forbidden.size(), 1U);
}

TEST(TranslationOptions, PhrasesThatDoNotFitAreDropped) {
  const Translator translator = fake_translator();
  const std::vector<std::string> lines(3, "खा");
  TranslationOptions options{.search = {.beam_size = 100, .max_length = 5}};
  options.constraints = {{.required = {"I I I I I I", "eating am"}},
                         {.prefix = "I", .required = {"am am am"}},
                         {.prefix = "I", .required = {"am am", "eating eating"}}};
  const auto translations = translator.translate_with(lines, options);
  EXPECT_TRUE(translations[0].front().required_dropped);
  EXPECT_NE(translations[0].front().text.find("eating am"), std::string::npos) << "the one that fits";
  EXPECT_FALSE(translations[1].front().required_dropped);
  EXPECT_TRUE(translations[1].front().text.starts_with("I am am am"));
  EXPECT_TRUE(translations[2].front().required_dropped);
  EXPECT_NE(translations[2].front().text.find("am am"), std::string::npos) << "the first goes before the second";
}

TEST(SplitLines, ALineHasTheTranslationsOfItsSentences) {
  const Translator translator = fake_translator();
  const std::vector<std::string> lines{"मैं खाना। खा रहा हूँ।", "", "हूँ", "  "}, parts{"मैं खाना।", "खा रहा हूँ।", "हूँ"};
  const auto whole = translate_sentences(translator, lines, {});
  const auto apart = translator.translate_with(parts, {});
  ASSERT_EQ(whole.size(), 4U);
  EXPECT_EQ(whole[0].front().source, lines[0]);
  EXPECT_EQ(whole[0].front().text, apart[0].front().text + " " + apart[1].front().text);
  EXPECT_DOUBLE_EQ(whole[0].front().hypothesis.log_probability,
                   apart[0].front().hypothesis.log_probability + apart[1].front().hypothesis.log_probability);
  ASSERT_EQ(whole[0].front().sentences.size(), 2U);
  EXPECT_EQ(whole[0].front().sentences[1].text, apart[1].front().text);
  const Hypothesis& line = whole[0].front().hypothesis;
  EXPECT_DOUBLE_EQ(line.score, line.log_probability / static_cast<double>(line.tokens.size()));
  EXPECT_EQ(whole[0].front().finished(), apart[0].front().finished() && apart[1].front().finished());
  EXPECT_TRUE(whole[1].front().finished());
  EXPECT_EQ(whole[1].front().text, "");
  EXPECT_EQ(whole[2].front().text, apart[2].front().text);
  EXPECT_EQ(whole[3].front().text, "");
  EXPECT_THROW(translate_sentences(translator, lines, {.sampling = SamplingOptions{}}), UsageError);
}

TEST(SplitLines, TellIfASentenceIsCut) {
  const Translator translator = fake_translator({.max_source_length = 2});
  const std::vector<std::string> lines{"मैं खाना। खा हूँ।", "मैं। खा रहा हूँ।"};
  const auto whole = translate_sentences(translator, lines, {});
  EXPECT_FALSE(whole[0].front().source_cut);
  EXPECT_TRUE(whole[1].front().source_cut);
}

}  // namespace
}  // namespace dhyan
