#include "text/language_detector.h"

#include <gtest/gtest.h>

namespace dhyan {
namespace {

TrigramProfile profile_of_text(const std::string& text) {
  TrigramCounts counts;
  for_each_trigram(text, [&](const Trigram& trigram) { ++counts[trigram]; });
  return profile_of(counts);
}

const char* const kEnglish =
    "the house of my friend is in the street that you know and she goes there with the children";
const char* const kGerman =
    "das haus meines freundes ist in der strasse die du kennst und sie geht mit den kindern hin";
const char* const kHindi = "मेरे दोस्त का घर उस सड़क पर है जिसे तुम जानते हो और वह बच्चों के साथ वहाँ जाती है";

LanguageDetector three_languages() {
  LanguageDetector detector;
  detector.add("hi", profile_of_text(kHindi));
  detector.add("en", profile_of_text(kEnglish));
  detector.add("de", profile_of_text(kGerman));
  return detector;
}

TEST(LanguageDetectors, FindTheLanguageOfUnseenSentences) {
  const LanguageDetector detector = three_languages();
  EXPECT_EQ(detector.detect("The friends know the house").front().code, "en");
  EXPECT_EQ(detector.detect("Die Kinder sind in dem Haus").front().code, "de");
  EXPECT_EQ(detector.detect("बच्चे घर जाते हैं").front().code, "hi");
}

TEST(LanguageDetectors, GiveAllLanguagesTheLikeliestFirst) {
  const std::vector<DetectedLanguage> found = three_languages().detect("the");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_GT(found[0].confidence, 90);
  EXPECT_GE(found[0].confidence, found[1].confidence);
  EXPECT_GE(found[1].confidence, found[2].confidence);
  EXPECT_LE(found[0].confidence + found[1].confidence + found[2].confidence, 100 + 1e-9);
}

TEST(LanguageDetectors, TellScriptsApartAtOnce) {
  EXPECT_EQ(three_languages().detect("मत").front().code, "hi");
  EXPECT_EQ(three_languages().detect("fn").back().code, "hi");
}

TEST(LanguageDetectors, AreNotConfidentInALanguageTheyLack) {
  const std::vector<DetectedLanguage> found = three_languages().detect("друзья знают этот дом");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_LT(found.front().confidence, 1);
  EXPECT_EQ(found.front().code, "de");  // by code: all are as unlikely
}

TEST(LanguageDetectors, FindNothingWithoutLettersOrLanguages) {
  EXPECT_TRUE(three_languages().detect("12 😀 ...").empty());
  EXPECT_TRUE(three_languages().detect("").empty());
  EXPECT_TRUE(LanguageDetector().detect("house").empty());
}

TEST(LanguageDetectors, AddProfilesOfTheSameCode) {
  LanguageDetector parts, whole;
  for (const char* part : {"the house", "the street and the house"}) parts.add("en", profile_of_text(part));
  whole.add("en", profile_of_text("the house the street and the house"));
  for (LanguageDetector* detector : {&parts, &whole}) detector->add("de", profile_of_text(kGerman));
  EXPECT_EQ(parts.detect("street"), whole.detect("street"));
  EXPECT_EQ(parts.detect("street").size(), 2U);
}

TEST(LanguageDetectors, TakeEmptyProfiles) {
  LanguageDetector detector;
  detector.add("xx", {});
  EXPECT_LT(detector.detect("house").front().confidence, 1);
}

}  // namespace
}  // namespace dhyan
