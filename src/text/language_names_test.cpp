#include "text/language_names.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

#include "text/language_table.h"

namespace dhyan {
namespace {

TEST(LanguageNames, AreFoundByCodesInAnyCase) {
  EXPECT_EQ(language_name("hi"), "Hindi");
  EXPECT_EQ(language_name("EN"), "English");
  EXPECT_EQ(language_name("pt_br"), "Portuguese (Brazil)");
  EXPECT_EQ(language_name("zh-TW"), "Chinese (Taiwan)");
  EXPECT_EQ(language_name("zh-hant"), "Chinese (traditional)");
  EXPECT_EQ(language_name("pt-ao"), "Portuguese (AO)");
  EXPECT_EQ(language_name("xx"), "xx");
  EXPECT_EQ(language_name("Xx-Y"), "Xx-Y");
  EXPECT_EQ(language_name(""), "");
}

TEST(LanguageNames, AreDistinctAndHaveValidCodes) {
  std::set<std::string_view> codes, names;
  int of_two_letters = 0;
  for (const auto& [code, name] : kLanguageNames) {
    EXPECT_TRUE(is_known_language(code)) << code;
    EXPECT_EQ(usual_spelling(code), code);
    EXPECT_TRUE(codes.insert(code).second && names.insert(name).second) << code;
    of_two_letters += code.size() == 2 ? 1 : 0;
  }
  EXPECT_EQ(of_two_letters, 183);
  for (const auto& [code, name] : kLanguageVariants) {
    EXPECT_EQ(usual_spelling(code), code);
    EXPECT_EQ(name.substr(0, name.find(" (")), language_name(code.substr(0, 2)));
  }
}

TEST(LanguageCodes, AreCheckedForTheirForm) {
  for (const char* code : {"hi", "ceb", "pt-BR", "pt_BR", "es-419", "zh-Hant-TW", "klingon"}) {
    EXPECT_TRUE(is_language_code(code)) << code;
  }
  for (const char* text : {"", "h", "h1", "hi-", "-hi", "hi--IN", "hi IN", "hindustani", "हि", "../hi", "hi-ninechars",
                           "aa-bbbbbbbb-bbbbbbbb-bbbbbbbb-bbbbbbbb-bbbbbbbb"}) {
    EXPECT_FALSE(is_language_code(text)) << text;
  }
  EXPECT_TRUE(is_known_language("HI-in"));
  for (const char* code : {"src", "txt", "tok", "sh", "xx", ""}) EXPECT_FALSE(is_known_language(code)) << code;
}

TEST(LanguageCodes, HaveAUsualSpelling) {
  EXPECT_EQ(usual_spelling("EN"), "en");
  EXPECT_EQ(usual_spelling("PT_br"), "pt-BR");
  EXPECT_EQ(usual_spelling("ZH-hant-tw"), "zh-Hant-TW");
  EXPECT_EQ(usual_spelling("es-419"), "es-419");
  EXPECT_EQ(usual_spelling("en-"), "en-");
}

TEST(LanguageCodes, MatchInAnyCaseAndByTheirFirstParts) {
  const std::vector<std::string> available{"hi", "en", "en-GB", "pt-BR", "zh"};
  EXPECT_EQ(matching_language("hi", available), "hi");
  EXPECT_EQ(matching_language("EN-US", available), "en");
  EXPECT_EQ(matching_language("en_gb", available), "en-GB");
  EXPECT_EQ(matching_language("zh-Hant-TW", available), "zh");
  EXPECT_EQ(matching_language("PT", available), "pt-BR");
  for (const char* asked : {"", "fr", "pt-PT", "h", "hin", "e", "-", "-en", "auto"}) {
    EXPECT_EQ(matching_language(asked, available), std::nullopt) << asked;
  }
  EXPECT_EQ(matching_language("en", {}), std::nullopt);
}

}  // namespace
}  // namespace dhyan
