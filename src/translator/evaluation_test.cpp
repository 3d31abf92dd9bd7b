#include "translator/evaluation.h"

#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "kernels/simd/runtime.h"
#include "models/recurrent_model.h"
#include "models/transformer_model.h"
#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"

namespace dhyan {
namespace {

constexpr Index kVocabulary = 4 + 5;

TokenizerPair ten_words() { return pair_trained_on<WordTokenizer>("मैं खाना खा रहा हूँ", "I am eating food now"); }

// An untrained model with random weights.
Translator untrained(ContextKind context = ContextKind::kAttention, const TranslatorLimits& limits = {}) {
  RecurrentConfig config;
  config.source_vocabulary = config.target_vocabulary = kVocabulary;
  config.embedding = config.hidden = config.output_hidden = 8;
  config.context = context;
  return Translator({.config = {}, .tokenizers = ten_words(), .model = make_recurrent_model(config, Rng(7))}, limits);
}

TestSet sentences() {
  return {.name = "five",
          .sources = {"मैं खाना खा रहा हूँ", "मैं हूँ", "", "अनजान खाना", "खा"},
          .references = {{"I am eating food"}, {"I am", "am I"}, {"now"}, {"strange food"}, {"eating eating"}}};
}

// -log p of the references by the loss that training uses, and their tokens.
std::pair<double, Index> loss_of(const Translator& translator, const TestSet& set) {
  double nll = 0;
  Index tokens = 0;
  for (std::size_t i = 0; i < set.sources.size(); ++i) {
    std::vector<TokenId> source = translator.tokenizers().source->encode(set.sources[i]).ids;
    std::vector<TokenId> target = translator.tokenizers().target->encode(set.references[i].front()).ids;
    if (source.empty()) continue;
    source.push_back(kEnd);
    target.push_back(kEnd);
    Arena arena;
    Scope scope(arena);
    nll += translator.model().loss(scope, make_batch(std::vector<Example>{{source, target}})).nll;
    tokens += std::ssize(target);
  }
  return {nll, tokens};
}

TEST(Evaluation, TranslatesAndScoresTheTestSet) {
  const Translator translator = untrained();
  const TestSet set = sentences();
  const Evaluation result = evaluate(translator, set, {.scoring = {.length_bounds = {1}}});
  const auto expected = translator.translate(set.sources, {});
  ASSERT_EQ(result.translations.size(), set.sources.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(result.translations[i], expected[i].front().text);
  EXPECT_EQ(best_translations(translator, set.sources, {}).texts, result.translations);
  const std::vector<std::string> unknown{"मैं", "अनजान शब्द"};
  EXPECT_EQ(best_translations(translator, unknown, {}).mostly_unknown, 1U);
  const TextScores scores = score_text({result.translations, set.references}, sentence_lengths(set), {});
  ASSERT_EQ(result.text.scores.size(), 2u);
  EXPECT_EQ(result.text.scores[1].score, scores.scores[1].score);
  ASSERT_EQ(result.text.by_length.size(), 2u);
  EXPECT_EQ(result.text.by_length[0].sentences, 2) << "no word, and one";
}

TEST(Evaluation, HasThePerplexityOfTheTrainingLoss) {
  const Translator translator = untrained();
  const TestSet set = sentences();
  const ForcedScores forced = evaluate(translator, set, {}).forced;
  const auto [nll, tokens] = loss_of(translator, set);
  EXPECT_EQ(forced.tokens, tokens);
  EXPECT_EQ(tokens, 5 + 3 + 3 + 3) << "the empty source does not count";
  EXPECT_EQ(forced.skipped, 1);
  EXPECT_NEAR(forced.perplexity, std::exp(nll / static_cast<double>(tokens)), 1e-4);
  EXPECT_FALSE(forced.alignment) << "there is no gold";
}

// The source word with the largest weight for each reference word, by the first head of a layer; tokens are words.
std::vector<Links> strongest_links(const Translator& translator, const TestSet& set, Index layer = 0) {
  std::vector<std::string> targets;
  for (const auto& references : set.references) targets.push_back(references.front());
  std::vector<Links> links;
  for (const Translation& forced : translator.force(set.sources, targets, {.keep = RecordedAttention::kWeights})) {
    Links& found = links.emplace_back();
    for (std::size_t t = 0; t + 1 < forced.hypothesis.tokens.size(); ++t) {
      const std::vector<Real>& row = forced.hypothesis.attention[static_cast<std::size_t>(layer)].weights[t];
      std::size_t most = 0;
      for (std::size_t s = 1; s < row.size(); ++s) most = row[s] > row[most] ? s : most;
      if (most + 1 < row.size()) found.emplace_back(most, t);
    }
  }
  return links;
}

TEST(Evaluation, ComparesAttentionWithGoldLinks) {
  const Translator translator = untrained();
  TestSet set = sentences();
  Index found = 0;
  for (const Links& links : strongest_links(translator, set)) {
    found += std::ssize(links);
    set.alignments.push_back({.sure = links, .possible = {}});
  }
  ASSERT_GT(found, 3);
  const AlignmentScore all = evaluate(translator, set, {}).forced.alignment.value();
  EXPECT_EQ(all.precision, 1);
  EXPECT_EQ(all.recall, 1);
  EXPECT_EQ(all.error_rate, 0);

  set.alignments[2].sure = {{0, 0}};  // of the empty source: nothing is found there
  const AlignmentScore missed = evaluate(translator, set, {}).forced.alignment.value();
  EXPECT_EQ(missed.precision, 1);
  EXPECT_DOUBLE_EQ(missed.recall, static_cast<double>(found) / static_cast<double>(found + 1));
}

TEST(Evaluation, LinksWordsByTheRequestedLayer) {
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = kVocabulary;
  config.hidden = config.feed_forward = 8;
  config.encoder_layers = config.decoder_layers = 2;
  config.attention.score = "scaled_dot";
  const Translator translator(
      {.config = {}, .tokenizers = ten_words(), .model = make_transformer_model(config, Rng(7))});
  TestSet set = sentences();
  for (const Links& links : strongest_links(translator, set, 1)) {
    set.alignments.push_back({.sure = links, .possible = {}});
  }
  const auto error_rate = [&](std::optional<Index> layer) {
    return evaluate(translator, set, {.alignment_layer = layer}).forced.alignment->error_rate;
  };
  EXPECT_EQ(error_rate(2), 0);
  EXPECT_GT(error_rate(1), 0);
  EXPECT_EQ(thrown<UsageError>([&] { error_rate(3); }),
            "attention: there is no layer 3 of cross-attention; this model has 2");
}

TEST(Evaluation, OfAModelWithoutAttentionHasNoAlignments) {
  TestSet set = sentences();
  set.alignments.resize(set.sources.size());
  const Evaluation result = evaluate(untrained(ContextKind::kFixed), set, {});
  EXPECT_FALSE(result.forced.alignment);
  EXPECT_GT(result.forced.perplexity, 1);
}

TEST(Evaluation, NamesSourcesThatAreCutAndStillAlignsThem) {
  const Translator translator = untrained(ContextKind::kAttention, {.max_source_length = 2});
  TestSet set = sentences();
  set.alignments.resize(set.sources.size());
  const Evaluation result = evaluate(translator, set, {});
  EXPECT_EQ(result.cut, std::vector<std::size_t>{1});
  EXPECT_TRUE(result.forced.alignment);
}

class Steps final : public ProgressSink {
 public:
  void update(std::uint64_t done, std::optional<std::uint64_t> total, std::string_view) override {
    steps.emplace_back(done, total.value());
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> steps;
};

TEST(Evaluation, IsTheSameOnAnyNumberOfThreadsForManySentences) {
  const Translator translator = untrained();
  TestSet set{.name = "many"};
  const TestSet few = sentences();
  for (std::size_t i = 0; i < 1100; ++i) {
    set.sources.push_back(few.sources[i % 5]);
    set.references.push_back(few.references[i % 5]);
    set.alignments.push_back({.sure = {{0, 0}}, .possible = {}});
  }
  const EvaluationOptions greedy{.search = {.beam_size = 1, .max_length = 10}};
  Steps progress;
  const Evaluation alone = evaluate(translator, set, greedy, {}, &progress);
  EXPECT_GT(progress.steps.size(), 10U) << "every batch is told of";
  EXPECT_TRUE(std::ranges::is_sorted(progress.steps));
  EXPECT_EQ(progress.steps.back(), (std::pair<std::uint64_t, std::uint64_t>{1100, 1100}));
  ThreadPool pool = kernels::make_thread_pool(3);
  const Evaluation shared = evaluate(translator, set, greedy, {.pool = &pool});
  EXPECT_EQ(alone.translations, shared.translations);
  EXPECT_EQ(alone.forced.perplexity, shared.forced.perplexity);
  EXPECT_EQ(alone.forced.alignment->error_rate, shared.forced.alignment->error_rate);
  EXPECT_EQ(alone.translations[0], alone.translations[1095]);
}

// A line is one token.
class WholeLines final : public Tokenizer {
 public:
  Encoded encode(std::string_view line) const override { return {{4}, {{0, std::ssize(line)}}}; }
  std::string decode(std::span<const TokenId>) const override { return ""; }
  Index size() const override { return kVocabulary; }
  std::string_view piece(TokenId) const override { return "line"; }
  std::uint64_t fingerprint() const override { return 1; }
  void save(const std::filesystem::path&, std::string_view) const override {}
};

TEST(Evaluation, RefusesTokensThatSpanWords) {
  RecurrentConfig config;
  config.source_vocabulary = config.target_vocabulary = kVocabulary;
  config.embedding = config.hidden = config.output_hidden = 4;
  const auto lines = std::make_shared<WholeLines>();
  const Translator translator(
      LoadedModel{.config = {}, .tokenizers = {lines, lines}, .model = make_recurrent_model(config, Rng(7))});
  const TestSet set{.name = "one", .sources = {"a b"}, .references = {{"c"}}, .alignments = {{}}};
  EXPECT_EQ(thrown<DataError>([&] { evaluate(translator, set, {}); }),
            "evaluate: 'a b' has 2 words, but its tokens form 1; alignments need tokens that do not span a space");
}

TEST(Evaluation, RefusesAnInconsistentTestSet) {
  const Translator translator = untrained();
  EXPECT_THROW(evaluate(translator, {.name = "empty"}, {}), UsageError);
  EXPECT_THROW(evaluate(translator, {.name = "x", .sources = {}, .references = {{"a"}}}, {}), UsageError);
  EXPECT_EQ(thrown<UsageError>([&] {
              evaluate(translator,
                       {.name = "x", .sources = {"a", "b"}, .references = {{"a"}, {"b"}}, .alignments = {{}}}, {});
            }),
            "evaluate: x has 2 sources, references for 2 and alignments for 1; expected equally many sources and "
            "references, and as many alignments or none");
}

}  // namespace
}  // namespace dhyan
