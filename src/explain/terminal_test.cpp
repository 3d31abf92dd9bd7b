#include "explain/terminal.h"

#include <gtest/gtest.h>
#include <sstream>

#include "core/testing/not_finite.h"
#include "explain/testing/example_explanation.h"
#include "explain/testing/without_colour.h"
#include "text/display.h"

namespace dhyan {
namespace {

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// n target words, m source words, weight 1 on the diagonal.
Explanation diagonal(std::size_t n, std::size_t m, const std::string& word) {
  Explanation explanation;
  explanation.source = "source";
  explanation.log_probability = 0;
  AttentionMap map;
  map.columns.assign(m, word);
  map.rows.assign(n, "w");
  map.weights.assign(n, std::vector<double>(m, 0));
  for (std::size_t i = 0; i < std::min(n, m); ++i) map.weights[i][i] = 1;
  explanation.maps = {map};
  return explanation;
}

TEST(TerminalText, MatchesTheGoldenTextForDevanagari) {
  EXPECT_EQ(to_text(example_explanation(), {}),
            "मैं खाना खा रहा हूँ\n"
            "I am eating food\n"
            "log p = -0.2500 (p = 0.779)\n"
            "\n"
            "  1 मैं  2 खाना  3 खा  4 रहा  5 हूँ  6 </s>\n"
            "           1    2    3    4    5    6\n"
            "  I      █.88 ░.03 ░.03   ·  ░.06   ·\n"
            "  am     ░.06   ·  ░.06 ▒.25 ▓.62   ·\n"
            "  eating   ·  ░.12 ▓.50 ▒.25 ░.12   ·\n"
            "  food     ·  █.75 ░.12   ·    ·  ░.12\n"
            "  </s>     ·    ·    ·    ·  ▒.25 █.75\n"
            "\n"
            "Columns: source; rows: translation; weights α, each row sums to 1. </s> marks\n"
            "the end of a sentence.\n");
}

TEST(TerminalText, PutsShapedScriptsAfterTheirRows) {
  Explanation to_hindi = diagonal(2, 2, "word");
  to_hindi.maps.front().rows = {"खाना", "</s>"};
  EXPECT_EQ(split_lines(to_text(to_hindi, {})).at(5), "  1 █1.0   ·    खाना");
}

TEST(TerminalText, HeadsColumnsWithWordsIfTheyFit) {
  const Explanation latin = diagonal(2, 2, "eating");
  EXPECT_EQ(split_lines(to_text(latin, {})).at(4), "    eating eating");
  EXPECT_EQ(split_lines(to_text(latin, {.width = 15})).at(6), "      1    2");
}

TEST(TerminalText, IsNeverWiderThanTheTerminal) {
  for (const Index width : {30, 40, 80}) {
    const std::vector<std::string> lines = split_lines(to_text(diagonal(3, 30, "a"), {.width = width}));
    int weights_shown = 0;
    for (const std::string& line : lines) {
      EXPECT_LE(display_width(line), width) << line;
      weights_shown += line.find("█1.0") != std::string::npos;
    }
    EXPECT_EQ(weights_shown, 3) << "every column is in one block";
  }
}

TEST(TerminalText, ContinuesColumnNumbersInLaterBlocks) {
  const std::string text = to_text(diagonal(1, 12, "खाना"), {.width = 40});
  EXPECT_NE(text.find("\n\n  8 खाना  9 खाना"), std::string::npos) << text;
}

TEST(TerminalText, ColourChangesNothingButShades) {
  const std::string coloured = to_text(example_explanation(), {.colour = Colour::kYes});
  EXPECT_NE(coloured.find("\x1b[48;5;44m\x1b[38;5;16m .88 \x1b[0m"), std::string::npos) << coloured;
  EXPECT_EQ(split_lines(without_colour(coloured)).at(6), "  I       .88  .03  .03   ·   .06   ·  ");
}

TEST(TerminalText, ShowsOnlyTheEndOfAnEmptyTranslation) {
  Explanation empty = diagonal(1, 2, "a");
  empty.maps.front().rows = {"</s>"};
  EXPECT_EQ(split_lines(to_text(empty, {})).at(5), "  </s> █1.0   ·");
}

TEST(TerminalText, RemovesEscapeSequencesFromWords) {
  Explanation hostile = diagonal(1, 1, "\x1b[2J");
  hostile.source = hostile.translation = hostile.maps.front().rows.front() = "\x1b]0;x\x07";
  hostile.maps.front().title = "\x1b[31m";
  EXPECT_EQ(to_text(hostile, {}).find('\x1b'), std::string::npos);
}

TEST(TerminalText, ShowsADashForNan) {
  Explanation broken = diagonal(1, 2, "a");
  broken.maps.front().weights = {{kNan, 2}};
  for (const Colour colour : {Colour::kNo, Colour::kYes}) {
    const std::string text = to_text(broken, {.colour = colour});
    EXPECT_EQ(text.find("nan"), std::string::npos);
    EXPECT_NE(text.find("–"), std::string::npos);
  }
}

TEST(TerminalText, HasOneCaptionPerPlace) {
  const auto count = [](const std::string& text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  Explanation heads = example_heads(2, 2);
  EXPECT_EQ(count(to_text(heads, {}), "Columns: source; rows: translation"), 1u);
  heads.maps.back().place = AttentionPlace::kEncoder;
  EXPECT_EQ(count(to_text(heads, {}), "Columns: "), 2u);
}

TEST(TerminalText, ShowsTheTitleOfAMap) {
  Explanation two = diagonal(1, 1, "a");
  two.maps.front().title = "layer 1, head 1";
  EXPECT_EQ(split_lines(to_text(two, {})).at(4), "layer 1, head 1");
}

TEST(TerminalText, ShowsTheContextVectorOfAModelWithoutAttention) {
  EXPECT_EQ(to_text(example_context_vector(), {}),
            "मैं खाना खा रहा हूँ\n"
            "I am eating food\n"
            "log p = -0.2500 (p = 0.779)\n"
            "\n"
            "This model does not attend: it encodes the source into one vector of 8 values\n"
            "(norm 1.77), and the decoder sees nothing else of the source.\n"
            "\n"
            "█▁▇▄▅█▃▅\n"
            "Each bar is one element of the vector: ▁ most negative, ▅ zero, █ most positive.\n");
}

TEST(Bars, RangeFromLeastToGreatestWithZeroInTheMiddle) {
  EXPECT_EQ(bars(std::vector<double>{-2, 0, 2}, 80), "▁▅█");
  EXPECT_EQ(bars(std::vector<double>{0, 0}, 80), "▅▅");
  EXPECT_EQ(bars(std::vector<double>{1, kNan, -1}, 2), "█?\n▁");
  EXPECT_EQ(bars({}, 80), "");
}

}  // namespace
}  // namespace dhyan
