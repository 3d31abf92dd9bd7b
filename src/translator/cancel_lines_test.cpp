#include <gtest/gtest.h>

#include "core/testing/thrown.h"
#include "translator/split_lines.h"
#include "translator/testing/fake_model.h"

namespace dhyan {
namespace {

struct FakeTranslator {
  std::unique_ptr<FakeModel> made = std::make_unique<FakeModel>();
  const FakeModel& model = *made;
  Translator translator{LoadedModel{{}, fake_tokenizers(), std::move(made)}, {.batch = {.max_sentences = 4}}};
};

void expect_cancelled(const Translation& translation, const std::string& line) {
  EXPECT_TRUE(translation.cancelled);
  EXPECT_FALSE(translation.finished());
  EXPECT_EQ(translation.source, line);
  EXPECT_EQ(translation.text, "");
  EXPECT_TRUE(translation.hypothesis.tokens.empty());
}

void expect_equal(const std::vector<Translation>& some, const std::vector<Translation>& others) {
  ASSERT_EQ(some.size(), others.size());
  for (std::size_t i = 0; i < some.size(); ++i) {
    EXPECT_FALSE(some[i].cancelled);
    EXPECT_EQ(some[i].text, others[i].text);
    EXPECT_EQ(some[i].hypothesis.tokens, others[i].hypothesis.tokens);
    EXPECT_EQ(some[i].hypothesis.token_scores, others[i].hypothesis.token_scores);
  }
}

// Two lines are cancelled: one before the call, one at the second step.
TEST(CancelLines, OthersGetTheSameBytes) {
  const FakeTranslator fake;
  const std::vector<std::string> lines = fake_lines(10);
  for (const bool sampled : {false, true}) {
    TranslationOptions options{.search = {.beam_size = 2, .n_best = 2, .min_length = 6}};
    if (sampled) options.sampling = SamplingOptions{};
    const auto whole = fake.translator.translate_with(lines, options);
    const std::atomic<bool> already = true;
    std::atomic<bool> soon = false;
    options.cancelled.resize(lines.size());
    options.cancelled[3] = &already, options.cancelled[7] = &soon;
    const auto rest = fake.translator.translate_with(lines, options, {.poll = [&, calls = 0]() mutable {
                                                       if (++calls == 8) soon = true;
                                                     }});
    ASSERT_EQ(rest.size(), lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i == 3 || i == 7) {
        ASSERT_EQ(rest[i].size(), 1U);
        expect_cancelled(rest[i].front(), lines[i]);
      } else {
        expect_equal(rest[i], whole[i]);
      }
    }
  }
}

TEST(CancelLines, ACancelledLineIsNotEncoded) {
  const FakeTranslator fake;
  const std::atomic<bool> flag = true;
  const std::vector<std::string> lines = fake_lines(2);
  fake.translator.translate_with(lines, {.cancelled = {&flag, &flag}});
  EXPECT_TRUE(fake.model.batches().empty());
  fake.translator.translate_with(lines, {.cancelled = {&flag, nullptr}});
  ASSERT_EQ(fake.model.batches().size(), 1U);
  EXPECT_EQ(fake.model.batches().front().count(), 1);
}

TEST(CancelLines, CancelsForcedLines) {
  const FakeTranslator fake;
  const std::vector<std::string> lines = fake_lines(3), targets(3, "I am eating I am");
  const std::vector<Translation> whole = fake.translator.force(lines, targets, {});
  const std::atomic<bool> already = true;
  std::atomic<bool> soon = false;
  const std::vector<Translation> rest =
      fake.translator.force_with(lines, targets, {.cancelled = {&already, nullptr, &soon}},
                                 {.poll = [&, calls = 0]() mutable { soon = ++calls >= 5; }});
  expect_cancelled(rest[0], lines[0]);
  expect_equal({rest[1]}, {whole[1]});
  expect_cancelled(rest[2], lines[2]);
}

TEST(CancelLines, RefusesAnotherNumberOfFlagsThanLines) {
  const FakeTranslator fake;
  const std::vector<std::string> lines = fake_lines(2);
  const std::atomic<bool> flag = false;
  EXPECT_EQ(thrown<UsageError>([&] { fake.translator.translate_with(lines, {.cancelled = {&flag}}); }),
            "Translator: 2 lines and cancellations for 1");
  EXPECT_EQ(thrown<UsageError>([&] { fake.translator.force_with(lines, lines, {.cancelled = {&flag}}); }),
            "Translator: 2 lines and cancellations for 1");
  EXPECT_EQ(thrown<UsageError>([&] {
              fake.translator.translate_with(lines, {.seeds = {{}, {}, {}}});
            }),
            "Translator: 2 lines and seeds for 3");
  EXPECT_THROW(translate_sentences(fake.translator, lines, {.cancelled = {&flag, &flag}}, {}), UsageError);
}

// As `dhyan translate --sampling --seed` would give it, had standard input no other line.
TEST(LineSeeds, SampleALineAmongOthersAsAlone) {
  const FakeTranslator fake;
  const std::vector<std::string> lines = fake_lines(5);
  const std::vector<LineSeed> seeds{{9, 0}, {4, 0}, {9, 0}, {4, 1}, {1, 0}};
  TranslationOptions options{.search = {.n_best = 3}, .sampling = SamplingOptions{}, .seed = 77, .first_line = 8};
  options.seeds = seeds;
  const auto together = fake.translator.translate_with(lines, options);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const TranslationOptions alone{
        .search = options.search, .sampling = options.sampling, .seed = seeds[i].seed, .first_line = seeds[i].line};
    expect_equal(together[i], fake.translator.translate_with(std::span(&lines[i], 1), alone).front());
  }
}

}  // namespace
}  // namespace dhyan
