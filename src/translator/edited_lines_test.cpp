#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "explain/explanation.h"
#include "translator/testing/tiny_text_model.h"
#include "translator/translator.h"

namespace dhyan {
namespace {

const std::vector<std::string> kLines{"ab cd", "a", "fed abc e", "bad cafe", "fa de"};
const SearchOptions kRecorded{.beam_size = 3, .min_length = 4, .max_length = 12, .keep = RecordedAttention::kSteps};

// All weight on the first key, in step 2.
WeightEdit first_key(const std::string& line) {
  WeightEdit edit{.step = 2, .group_of = std::vector<std::size_t>(line.size() + 1, 1), .sums = {1, 0}};
  edit.group_of[0] = 0;
  return edit;
}

class EditedLines : public testing::TestWithParam<const char*> {
 protected:
  Translator translator_{tiny_text_model(GetParam())};
};

TEST_P(EditedLines, AreTranslatedAsAloneAndOthersAsWithoutEdits) {
  const auto model = translator_.translate(kLines, kRecorded);
  TranslationOptions options{.search = kRecorded};
  options.edits.resize(kLines.size());
  for (const std::size_t i : {0, 3}) options.edits[i] = {first_key(kLines[i])};
  const auto together = translator_.translate_with(kLines, options);
  for (std::size_t i = 0; i < kLines.size(); ++i) {
    const auto alone =
        translator_.translate_with(std::span(&kLines[i], 1), {.search = kRecorded, .edits = {options.edits[i]}});
    EXPECT_EQ(together[i].front().hypothesis.tokens, alone.front().front().hypothesis.tokens);
    EXPECT_EQ(together[i].front().hypothesis.token_scores, alone.front().front().hypothesis.token_scores);
    if (options.edits[i].empty()) {
      EXPECT_EQ(together[i].front().hypothesis.token_scores, model[i].front().hypothesis.token_scores);
    }
  }
}

TEST_P(EditedLines, AreRecordedWithTheirEdits) {
  TranslationOptions options{.search = kRecorded, .edits = {{first_key(kLines[3])}}};
  const Translation made = translator_.translate_with(std::span(&kLines[3], 1), options).front().front();
  for (const AttentionRecord& record : made.hypothesis.attention) {
    if (record.place != AttentionPlace::kCross) continue;
    EXPECT_EQ(record.weights[2][0], 1);
    EXPECT_NE(record.weights[1][0], 1);
  }
}

TEST_P(EditedLines, AreScoredAsTheyWereTranslated) {
  const TranslationOptions options{.search = kRecorded, .edits = {{first_key(kLines[2])}}};
  const std::span<const std::string> line(&kLines[2], 1);
  const Translation made = translator_.translate_with(line, options).front().front();
  const auto scores = [&](const std::vector<std::vector<WeightEdit>>& edits) {
    std::vector<double> all =
        translator_.force_with(line, std::span(&made.text, 1), {.search = kRecorded, .edits = edits})
            .front()
            .hypothesis.token_scores;
    all.resize(made.hypothesis.tokens.size());  // without </s>, where the search was cut before it
    return all;
  };
  EXPECT_EQ(scores(options.edits), made.hypothesis.token_scores);
  EXPECT_NE(scores({}), made.hypothesis.token_scores);
}

TEST_P(EditedLines, BeginWithTheTokensThatWereWritten) {
  const std::vector<TokenId> written = translator_.tokenizers().target->encode("zu zu").ids;
  const TranslationOptions options{.search = kRecorded, .constraints = {{.prefix = "z", .written = written}}};
  const Translation made = translator_.translate_with(std::span(&kLines[0], 1), options).front().front();
  EXPECT_TRUE(made.text.starts_with("zu zu")) << made.text;
}

INSTANTIATE_TEST_SUITE_P(Kinds, EditedLines, testing::Values("recurrent", "transformer"),
                         [](const auto& kind) { return std::string(kind.param); });

TEST(EditsOfLines, AreRefusedByAModelWithoutCrossAttention) {
  const Translator translator(tiny_text_model("decoder-only"));
  EXPECT_EQ(thrown<UsageError>([&] {
              translator.translate_with(std::span(kLines).first(1),
                                        {.search = kRecorded, .edits = {{first_key("ab cd")}}});
            }),
            "Translator: the model has no cross-attention to edit");
}

TEST(EditsOfLines, AreGivenForEachLineOrForNone) {
  const Translator translator(tiny_text_model());
  EXPECT_EQ(thrown<UsageError>([&] { translator.translate_with(kLines, {.search = kRecorded, .edits = {{}}}); }),
            "Translator: 5 lines and edits for 1");
}

}  // namespace
}  // namespace dhyan
