#include "translator/translate_stream.h"

#include <gtest/gtest.h>

#include "core/testing/thrown.h"
#include "data/testing/test_corpus.h"
#include "text/character_tokenizer.h"
#include "translator/testing/fake_model.h"

namespace dhyan {
namespace {

using namespace std::chrono_literals;

// Gives one text after another; between two of them no line arrives within `patience`.
class Conversation final : public ByteSource {
 public:
  explicit Conversation(std::vector<std::string> texts) : texts_(std::move(texts)) {}

  std::size_t read(std::span<char> into) override {
    if (at_ == texts_.size()) return 0;
    return texts_[at_++].copy(into.data(), into.size());
  }
  bool ready(std::chrono::milliseconds) override { return false; }
  std::uint64_t bytes_read() const override { return 0; }
  std::uint64_t bytes_in_all() const override { return 0; }
  std::size_t texts_read() const { return at_; }

 private:
  std::vector<std::string> texts_;
  std::size_t at_ = 0;
};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

class TranslateStream : public testing::Test {
 protected:
  std::vector<std::string> sources(std::unique_ptr<ByteSource> bytes, const StreamOptions& options = {}) {
    LineReader input(std::move(bytes), "t", {});
    std::vector<std::string> given;
    translate_stream(translator_, input, options, [&](const NBestLists& window) {
      for (const std::vector<Translation>& list : window) given.push_back(list.front().source);
    });
    return given;
  }

  std::unique_ptr<FakeModel> made_ = std::make_unique<FakeModel>();
  const FakeModel& model_ = *made_;
  Translator translator_{LoadedModel{{}, fake_tokenizers(), std::move(made_)}};
};

TEST_F(TranslateStream, GivesEveryLineInOrderWhateverTheWindow) {
  std::vector<std::string> lines = fake_lines(50);
  lines[7] = lines[49] = "";
  for (const Index largest : {1, 4, 100}) {
    const StreamOptions options{.first_window = 1, .largest_window = largest};
    EXPECT_EQ(sources(std::make_unique<MemoryBytes>(joined(lines)), options), lines);
  }
  EXPECT_TRUE(sources(std::make_unique<MemoryBytes>("")).empty());
}

TEST_F(TranslateStream, WindowsGrowToTheLargest) {
  const std::vector<std::string> lines(20, "खा");
  sources(std::make_unique<MemoryBytes>(joined(lines)), {.first_window = 2, .largest_window = 5});
  std::vector<Index> windows;
  for (const Segments& batch : model_.batches()) windows.push_back(batch.count());
  EXPECT_EQ(windows, (std::vector<Index>{2, 4, 5, 5, 4}));
}

TEST_F(TranslateStream, WindowsHaveFewerLinesIfALineHasManyTranslations) {
  StreamOptions options{.first_window = 2, .largest_window = 12};
  options.translation.search = {.beam_size = 4, .n_best = 4};
  sources(std::make_unique<MemoryBytes>(joined(std::vector<std::string>(8, "खा"))), options);
  std::vector<Index> windows;
  for (const Segments& batch : model_.batches()) windows.push_back(batch.count());
  EXPECT_EQ(windows, (std::vector<Index>{2, 3, 3}));
}

TEST_F(TranslateStream, GivesTranslationsBeforeItWaitsForInput) {
  auto conversation = std::make_unique<Conversation>(std::vector<std::string>{"मैं\n", "खाना\nखा\n", "रहा"});
  const Conversation& said = *conversation;
  LineReader input(std::move(conversation), "t", {});
  std::vector<std::size_t> heard;
  translate_stream(translator_, input, {}, [&](const NBestLists&) { heard.push_back(said.texts_read()); });
  EXPECT_EQ(heard, (std::vector<std::size_t>{1, 2, 3}));
}

TEST_F(TranslateStream, TranslatesTheLinesBeforeAnUnreadableOne) {
  LineReader input(std::make_unique<MemoryBytes>("मैं\nखा\n\xff\nखा\n"), "t", {});
  std::size_t given = 0;
  EXPECT_EQ(thrown<DataError>([&] {
              translate_stream(translator_, input, {}, [&](const NBestLists& window) { given += window.size(); });
            }),
            "t:3: byte 1: not UTF-8 (0xFF)");
  EXPECT_EQ(given, 2U);
}

LineReader lines_of_text(std::string_view text) { return {std::make_unique<MemoryBytes>(text), "more", {}}; }

TEST_F(TranslateStream, ReadsOneLineOfConstraintsPerLine) {
  LineReader prefixes = lines_of_text("am\n\neating\n"), required = lines_of_text("I am\tI I\n\n\t\n");
  StreamOptions options{.prefixes = &prefixes, .required = &required};
  options.first_window = 2;
  LineReader input(std::make_unique<MemoryBytes>("खा\nखा\nखा\n"), "t", {});
  std::vector<std::string> texts;
  translate_stream(translator_, input, options, [&](const NBestLists& window) {
    for (const std::vector<Translation>& list : window) texts.push_back(list.front().text);
  });
  ASSERT_EQ(texts.size(), 3U);
  EXPECT_TRUE(texts[0].starts_with("am") && texts[0].find("I am") != std::string::npos) << texts[0];
  EXPECT_TRUE(texts[2].starts_with("eating")) << texts[2];
}

// A target of three characters, a, b and a blank: its tokenizer keeps every blank.
TEST_F(TranslateStream, RequiresPhrasesWithSingleBlanks) {
  const TokenizerPair characters{fake_tokenizers().source,
                                 std::make_shared<CharacterTokenizer>(vocabulary_of<CharacterTokenizer>({"a b"}))};
  const Translator translator(LoadedModel{{}, characters, std::make_unique<FakeModel>()});
  LineReader required = lines_of_text(" a   b \t \n");
  StreamOptions options{.required = &required};
  options.translation.search = {.beam_size = 1, .max_length = 4, .max_length_ratio = 0};
  LineReader input(std::make_unique<MemoryBytes>("खा\n"), "t", {});
  translate_stream(translator, input, options,
                   [](const NBestLists& window) { EXPECT_EQ(window.front().front().text, "a b"); });
}

TEST_F(TranslateStream, NamesTheLineOfAConstraintThatCannotBeMet) {
  for (const bool prefix : {true, false}) {
    LineReader constraints = lines_of_text("I\ndance\n");
    const StreamOptions options{.prefixes = prefix ? &constraints : nullptr,
                                .required = prefix ? nullptr : &constraints};
    LineReader input(std::make_unique<MemoryBytes>("खा\nखा\n"), "t", {});
    EXPECT_EQ(thrown<DataError>([&] { translate_stream(translator_, input, options, [](const NBestLists&) {}); }),
              "more:2: the model has no word for 'dance' and cannot write 'dance'");
  }
}

TEST_F(TranslateStream, RefusesConstraintsForMoreOrFewerLines) {
  for (const auto& [text, message] : {std::pair("a\n", "more: has 1 line, t has more; line 2 has no partner"),
                                      std::pair("\n\n\n", "more:3: one more line than t")}) {
    LineReader prefixes = lines_of_text(text[0] == 'a' ? "I\n" : text);
    StreamOptions options{.prefixes = &prefixes};
    LineReader input(std::make_unique<MemoryBytes>("खा\nखा\n"), "t", {});
    EXPECT_EQ(thrown<DataError>([&] { translate_stream(translator_, input, options, [](const NBestLists&) {}); }),
              message);
  }
}

}  // namespace
}  // namespace dhyan
