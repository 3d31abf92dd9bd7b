#include "phrasebook/scene_captions.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "phrasebook/picturebook.h"

namespace dhyan::picturebook {
namespace {

constexpr auto kEn = Language::kEnglish, kHi = Language::kHindi;

Object object_at(Size size, Colour colour, Figure figure, int x, int y) {
  return {.figure = figure, .colour = colour, .size = size, .x = x * kPixel, .y = y * kPixel};
}

const Object kCircle = object_at(Size::kSmall, Colour::kRed, Figure::kCircle, 20, 20);
const Object kSquare = object_at(Size::kLarge, Colour::kBlue, Figure::kSquare, 24, 48);
const Object kStar = object_at(Size::kSmall, Colour::kGreen, Figure::kStar, 50, 34);

std::vector<std::string> texts(const std::vector<Caption>& captions) {
  std::vector<std::string> result;
  for (const Caption& one : captions) result.push_back(one.text);
  return result;
}

TEST(Captions, AreInEnglish) {
  EXPECT_EQ(caption({.objects = {kCircle}}, kEn).text, "a small red circle");
  EXPECT_EQ(caption({.objects = {kCircle, kSquare}}, kEn).text, "a small red circle above a large blue square");
  EXPECT_EQ(caption({.objects = {kCircle, kSquare, kStar}}, kEn).text,
            "a small red circle above a large blue square and to the left of a small green star");
}

TEST(Captions, AreInHindi) {
  EXPECT_EQ(caption({.objects = {kCircle}}, kHi).text, "एक छोटा लाल वृत्त");
  EXPECT_EQ(caption({.objects = {kCircle, kSquare}}, kHi).text, "बड़े नीले वर्ग के ऊपर एक छोटा लाल वृत्त");
  EXPECT_EQ(caption({.objects = {kCircle, kSquare, kStar}}, kHi).text,
            "बड़े नीले वर्ग के ऊपर और छोटे हरे तारे के बाईं ओर एक छोटा लाल वृत्त");
}

TEST(Captions, AgreeWithFeminineNounsInBothCases) {
  const Object kite = object_at(Size::kLarge, Colour::kYellow, Figure::kKite, 20, 20);
  const Object drop = object_at(Size::kSmall, Colour::kBlack, Figure::kDrop, 50, 20);
  EXPECT_EQ(caption({.objects = {kite, drop}}, kHi).text, "छोटी काली बूँद के बाईं ओर एक बड़ी पीली पतंग");
}

TEST(Captions, HaveTheObjectsOfEachWord) {
  const Scene scene{.objects = {kCircle, kSquare, kStar}};
  // a small red circle above a large blue square and to the left of a small green star
  EXPECT_EQ(caption(scene, kEn).objects,
            (std::vector<ObjectSet>{0, 1, 1, 1, 3, 0, 2, 2, 2, 0, 0, 0, 5, 0, 0, 4, 4, 4}));
  // बड़े नीले वर्ग के ऊपर और छोटे हरे तारे के बाईं ओर एक छोटा लाल वृत्त
  EXPECT_EQ(caption(scene, kHi).objects, (std::vector<ObjectSet>{2, 2, 2, 0, 3, 0, 4, 4, 4, 0, 5, 0, 0, 1, 1, 1}));
}

TEST(References, LeaveOutTheSizeOfASingleObject) {
  const Object orange = object_at(Size::kLarge, Colour::kOrange, Figure::kHeart, 30, 30);
  EXPECT_EQ(texts(references({.objects = {orange}}, kEn)),
            (std::vector<std::string>{"a large orange heart", "an orange heart"}));
  EXPECT_EQ(texts(references({.objects = {orange}}, kHi)),
            (std::vector<std::string>{"एक बड़ा नारंगी दिल", "एक नारंगी दिल"}));
}

TEST(References, ChangeTheOrderAndTheRelation) {
  EXPECT_EQ(texts(references({.objects = {kCircle, kStar}}, kEn)),
            (std::vector<std::string>{"a small red circle to the left of a small green star",
                                      "a small green star to the right of a small red circle",
                                      "a red circle to the left of a green star"}));
  const Object low = object_at(Size::kLarge, Colour::kWhite, Figure::kMoon, 50, 42);
  EXPECT_EQ(texts(references({.objects = {kCircle, low}}, kEn)),
            (std::vector<std::string>{"a small red circle to the left of a large white moon",
                                      "a large white moon to the right of a small red circle",
                                      "a small red circle above a large white moon",
                                      "a red circle to the left of a white moon"}));
  EXPECT_EQ(texts(references({.objects = {kCircle, kSquare, kStar}}, kHi))[1],
            "छोटे लाल वृत्त के नीचे और छोटे हरे तारे के बाईं ओर एक बड़ा नीला वर्ग");
}

TEST(References, AreDifferentAndBeginWithTheCaptionToLearn) {
  for (std::uint64_t number = 0; number < 300; ++number) {
    for (const Language language : {kEn, kHi}) {
      const Example made = example(language, Part::kDev, number);
      const std::vector<Caption> all = references(made.scene, language);
      EXPECT_EQ(all.front(), made.caption);
      const std::vector<std::string> written = texts(all);
      EXPECT_EQ(std::set<std::string>(written.begin(), written.end()).size(), all.size());
      EXPECT_GE(all.size(), made.scene.objects.size() + 1);
      for (const Caption& one : all) {
        EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(one.text, ' ')) + 1, one.objects.size());
      }
    }
  }
}

}  // namespace
}  // namespace dhyan::picturebook
