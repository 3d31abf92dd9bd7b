#include "text/scripts.h"

#include <gtest/gtest.h>
#include <utility>

namespace dhyan {
namespace {

TEST(Scripts, AreNamedInTheOrderOfTheEnumeration) {
  for (std::size_t i = 0; i < scripts().size(); ++i) EXPECT_EQ(static_cast<std::size_t>(scripts()[i].script), i);
  EXPECT_EQ(scripts().back().script, Script::kOther);
  EXPECT_EQ(script_name(Script::kDevanagari), "Devanagari");
}

TEST(Scripts, AreChosenByMostLettersOfALine) {
  const std::pair<const char*, Script> lines[] = {
      {"I am eating.", Script::kLatin},     {"मैं खाना खा रहा हूँ।", Script::kDevanagari},
      {"Я читаю книгу", Script::kCyrillic}, {"Διαβάζω", Script::kGreek},
      {"أنا أقرأ", Script::kArabic},        {"אני קורא", Script::kHebrew},
      {"我在看书", Script::kHan},           {"ひらがなカタカナ", Script::kKana},
      {"한국어", Script::kHangul},          {"ภาษาไทย", Script::kThai},
      {"আমি ভাত খাই", Script::kBengali},    {"தமிழ்", Script::kTamil},
      {"ⴰⵎⴰⵣⵉⵖ", Script::kOther},
  };
  for (const auto& [line, script] : lines) EXPECT_EQ(dominant_script(line).script, script) << line;
}

TEST(Scripts, CountLettersOnly) {
  const ScriptShare share = dominant_script("मैं OK 123 हूँ");
  EXPECT_EQ(share.script, Script::kLatin);  // two letters each; marks do not count, and Latin is first in the table
  EXPECT_EQ(share.letters, 2);
  EXPECT_EQ(share.of, 4);
}

TEST(Scripts, AreNoneForALineWithoutLetters) {
  for (const char* line : {"", "12 + 3 = 15!", "।", "👍"})
    EXPECT_EQ(dominant_script(line).script, Script::kNone) << line;
}

}  // namespace
}  // namespace dhyan
