#include "translator/translator.h"

#include <gtest/gtest.h>
#include <iterator>
#include <sstream>

#include "config/model_kinds.h"
#include "core/testing/thrown.h"
#include "kernels/simd/runtime.h"
#include "phrasebook/phrasebook.h"
#include "text/word_tokenizer.h"
#include "translator/testing/fake_model.h"

namespace dhyan {
namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream text(line);
  return {std::istream_iterator<std::string>(text), {}};
}

struct Fake {
  explicit Fake(const TranslatorLimits& limits = {}) : Fake(std::make_unique<FakeModel>(1), limits) {}
  Fake(std::unique_ptr<FakeModel> made, const TranslatorLimits& limits)
      : model(*made), translator(LoadedModel{{}, fake_tokenizers(), std::move(made)}, limits) {}

  const FakeModel& model;
  Translator translator;
};

void expect_same(const Translation& a, const Translation& b) {
  EXPECT_EQ(a.source, b.source);
  EXPECT_EQ(a.text, b.text);
  EXPECT_EQ(a.source_tokens, b.source_tokens);
  EXPECT_EQ(a.hypothesis.tokens, b.hypothesis.tokens);
  EXPECT_EQ(a.hypothesis.token_scores, b.hypothesis.token_scores);
  EXPECT_EQ(a.hypothesis.score, b.hypothesis.score);
  ASSERT_EQ(a.hypothesis.attention.size(), b.hypothesis.attention.size());
  for (std::size_t i = 0; i < a.hypothesis.attention.size(); ++i) {
    EXPECT_EQ(a.hypothesis.attention[i].weights, b.hypothesis.attention[i].weights);
  }
}

const SearchOptions kThreeBest{.beam_size = 3, .n_best = 3, .keep = RecordedAttention::kWeights};

TEST(Translator, KeepsTheOrderAndTranslatesEachLineAsAlone) {
  const Fake fake({.batch = {.max_tokens = 40, .max_sentences = 7}});
  const std::vector<std::string> lines = fake_lines(100);
  const auto together = fake.translator.translate(lines, kThreeBest);
  ASSERT_EQ(together.size(), lines.size());
  EXPECT_GT(fake.model.batches().size(), 14U);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto alone = fake.translator.translate(std::span(&lines[i], 1), kThreeBest).front();
    ASSERT_EQ(together[i].size(), alone.size());
    for (std::size_t rank = 0; rank < alone.size(); ++rank) {
      EXPECT_EQ(together[i][rank].source, lines[i]);
      expect_same(together[i][rank], alone[rank]);
    }
  }
}

// Real layers and real sentences; the weights are random.
TEST(Translator, GivesEveryLineOfTheDevSetTheSameBytesInAnyBatch) {
  TokenCounts source_words, target_words;
  std::vector<std::string> lines;
  for (const PhrasePair& pair : phrasebook("hi-en", Part::kDev)) {
    lines.push_back(pair.source);
    for (const std::string& word : words_of(pair.source)) ++source_words[word];
    for (const std::string& word : words_of(pair.target)) ++target_words[word];
  }
  const TokenizerPair tokenizers{std::make_shared<WordTokenizer>(Vocabulary::from_counts(source_words)),
                                 std::make_shared<WordTokenizer>(Vocabulary::from_counts(target_words))};
  Config config;
  config.recurrent.embedding = config.common.hidden = config.recurrent.output_hidden = 32;
  const Translator translator(LoadedModel{config, tokenizers, make_model(config, tokenizers, Rng(4))});
  const SearchOptions search{.beam_size = 2, .max_length = 8, .keep = RecordedAttention::kWeights};
  const auto together = translator.translate(lines, search);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    expect_same(together[i].front(), translator.translate(std::span(&lines[i], 1), search).front().front());
  }
}

TEST(Translator, KeepsToTheLimitOfHypothesesAndGivesTheSame) {
  const std::vector<std::string> lines = fake_lines(60);
  for (const bool sampled : {false, true}) {
    TranslationOptions options{.search = {.beam_size = 12, .n_best = 12}};
    if (sampled) options.sampling = SamplingOptions{};
    const Fake roomy, narrow({.max_hypotheses = 50}), too_narrow({.max_hypotheses = 1});
    ThreadPool pool(2, kernels::prepare_thread);
    const auto expected = roomy.translator.translate_with(lines, options);
    for (const Fake* fake : {&narrow, &too_narrow}) {
      const auto best = fake->translator.translate_with(lines, options, {.pool = &pool});
      for (std::size_t i = 0; i < lines.size(); ++i) {
        ASSERT_EQ(best[i].size(), expected[i].size());
        for (std::size_t rank = 0; rank < best[i].size(); ++rank) expect_same(best[i][rank], expected[i][rank]);
      }
    }
    EXPECT_GT(roomy.model.most_hypotheses(), 50);
    EXPECT_LE(narrow.model.most_hypotheses(), 50);
    EXPECT_EQ(narrow.model.batches().size(), 15U) << "4 sentences of 12";
    EXPECT_LE(too_narrow.model.most_hypotheses(), 12) << "one sentence has all of its beam";
  }
}

TEST(Translator, GivesTheSameOnAnyNumberOfThreads) {
  const Fake fake({.batch = {.max_tokens = 40, .max_sentences = 7}});
  const std::vector<std::string> lines = fake_lines(60);
  const auto alone = fake.translator.translate(lines, kThreeBest);
  for (const int threads : {1, 2, 4}) {
    ThreadPool pool(threads, kernels::prepare_thread);
    const auto shared = fake.translator.translate(lines, kThreeBest, {.pool = &pool});
    ASSERT_EQ(shared.size(), alone.size());
    for (std::size_t i = 0; i < lines.size(); ++i) expect_same(shared[i].front(), alone[i].front());
  }
}

TEST(Translator, LetsThreadsWithoutABatchHelpWithTheOthers) {
  const Fake fake;
  ThreadPool pool(3, kernels::prepare_thread);
  const auto best = fake.translator.translate(fake_lines(4), kThreeBest, {.pool = &pool});
  fake.translator.translate(fake_lines(4), kThreeBest);
  fake.translator.force(std::vector{best[0].front().source}, std::vector{best[0].front().text}, kThreeBest,
                        {.pool = &pool});
  EXPECT_EQ(fake.model.intra_op(), (std::vector<int>{2, 0, 2}));
}

TEST(Translator, BatchesLinesOfSimilarLengthTheLongestFirst) {
  const Fake fake({.batch = {.max_tokens = 12, .max_sentences = 3}});
  const std::vector<std::string> lines{"मैं", "मैं खाना खा रहा हूँ", "", "मैं हूँ", "मैं खाना खा रहा", "खा", "खा", "खा"};
  fake.translator.translate(lines, {});
  const std::vector<Segments> expected{Segments::from_lengths({6, 5}), Segments::from_lengths({3, 2, 2}),
                                       Segments::from_lengths({2, 2})};
  EXPECT_EQ(fake.model.batches(), expected);
}

TEST(Translator, DoesNotDecodeALineWithoutText) {
  const Fake fake;
  const std::vector<std::string> lines{"", "  ", "खा"};
  const auto translations = fake.translator.translate(lines, kThreeBest);
  for (const std::size_t i : {0U, 1U}) {
    ASSERT_EQ(translations[i].size(), 1U);
    EXPECT_EQ(translations[i].front().source, lines[i]);
    EXPECT_EQ(translations[i].front().text, "");
    EXPECT_TRUE(translations[i].front().source_tokens.empty());
    EXPECT_TRUE(translations[i].front().hypothesis.tokens.empty());
  }
  EXPECT_EQ(translations[2].size(), 3U);
  EXPECT_EQ(fake.model.batches(), std::vector{Segments::from_lengths({2})});
  EXPECT_TRUE(fake.translator.translate({}, {}).empty());
}

TEST(Translator, DecodesTheTokensToText) {
  const Fake fake;
  const std::vector<std::string> lines = fake_lines(20);
  for (const std::vector<Translation>& list : fake.translator.translate(lines, {})) {
    EXPECT_EQ(list.front().text, fake.translator.tokenizers().target->decode(list.front().hypothesis.tokens));
    EXPECT_EQ(list.front().source_tokens.back(), kEnd);
  }
}

TEST(Translator, CutsAndMarksALineThatIsTooLong) {
  const Fake fake({.max_source_length = 2});
  const std::vector<std::string> lines{"मैं खाना खा", "मैं खाना"};
  const auto translations = fake.translator.translate(lines, {});
  EXPECT_TRUE(translations[0].front().source_cut);
  EXPECT_FALSE(translations[1].front().source_cut);
  EXPECT_EQ(translations[0].front().source, lines[0]);
  EXPECT_EQ(translations[0].front().source_tokens, translations[1].front().source_tokens);
  EXPECT_EQ(translations[0].front().text, translations[1].front().text);
}

TEST(Translator, ForcesGivenTranslations) {
  const Fake fake({.batch = {.max_tokens = 40, .max_sentences = 7}});
  std::vector<std::string> sources, targets;
  std::vector<Translation> found;
  for (const std::vector<Translation>& list : fake.translator.translate(fake_lines(40), kThreeBest)) {
    // A translation that was cut, or does not round-trip through its text, cannot be forced.
    std::vector<TokenId> tokens = fake.translator.tokenizers().target->encode(list.front().text).ids;
    tokens.push_back(kEnd);
    if (tokens != list.front().hypothesis.tokens) continue;
    sources.push_back(list.front().source);
    targets.push_back(list.front().text);
    found.push_back(list.front());
  }
  ASSERT_GT(sources.size(), 10U);
  ThreadPool pool(2, kernels::prepare_thread);
  const std::vector<Translation> forced = fake.translator.force(sources, targets, kThreeBest, {.pool = &pool});
  ASSERT_EQ(forced.size(), found.size());
  for (std::size_t i = 0; i < forced.size(); ++i) expect_same(forced[i], found[i]);
}

TEST(Translator, StopsWhenThePollThrows) {
  const Fake fake;
  struct Stop {};
  ThreadPool pool(2, kernels::prepare_thread);
  for (ThreadPool* workers : {static_cast<ThreadPool*>(nullptr), &pool}) {
    const Workers stopped{.pool = workers, .poll = [] { throw Stop(); }};
    EXPECT_THROW(fake.translator.translate(fake_lines(3), {}, stopped), Stop);
  }
  EXPECT_TRUE(fake.model.batches().empty());
}

TEST(Translator, RefusesUnusableArguments) {
  EXPECT_EQ(thrown<UsageError>([] {
              Translator(LoadedModel{{}, {}, std::make_unique<FakeModel>()});
            }),
            "Translator: a tokenizer or the model is missing");
  EXPECT_EQ(thrown<UsageError>([] { Fake({.max_source_length = 0}); }),
            "Translator: max_source_length is 0, expected 1 or more");
  const Fake fake;
  EXPECT_EQ(thrown<UsageError>([&] { fake.translator.translate({}, {.beam_size = 0}); }),
            "search: the beam size is 0, expected 1 or more");
  const std::vector<std::string> one{"खा"};
  EXPECT_EQ(thrown<UsageError>([&] { fake.translator.force(one, {}, {}); }), "Translator: 1 sources and 0 targets");
}

}  // namespace
}  // namespace dhyan
