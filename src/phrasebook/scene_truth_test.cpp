#include "phrasebook/scene_truth.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "phrasebook/phrase.h"
#include "phrasebook/picturebook.h"

namespace dhyan::picturebook {
namespace {

Scene three_objects() {
  const auto pixels = [](int n) { return n * kPixel; };
  return {.objects = {{Figure::kCircle, Colour::kRed, Size::kSmall, pixels(20), pixels(20)},
                      {Figure::kSquare, Colour::kBlue, Size::kLarge, pixels(24), pixels(48)},
                      {Figure::kStar, Colour::kGreen, Size::kSmall, pixels(50), pixels(34)}}};
}

void expect_false(const Scene& scene, std::string_view caption, Fault fault, std::string_view reason) {
  const Verdict verdict = judge(scene, caption);
  EXPECT_EQ(verdict.fault, fault) << caption;
  EXPECT_EQ(verdict.reason, reason) << caption;
  EXPECT_FALSE(is_true(scene, caption));
  EXPECT_TRUE(verdict.objects.empty());
}

TEST(Truth, HoldsForEveryReferenceWithTheObjectsOfItsWords) {
  for (const Part part : {Part::kTrain, Part::kTest}) {
    for (std::uint64_t number = 0; number < 500; ++number) {
      const Scene drawn = scene(number, part);
      for (const Language language : {Language::kEnglish, Language::kHindi}) {
        for (const Caption& reference : references(drawn, language)) {
          const Verdict verdict = judge(drawn, reference.text);
          ASSERT_TRUE(verdict.is_true()) << reference.text << ": " << verdict.reason;
          EXPECT_EQ(verdict.objects, reference.objects) << reference.text;
        }
      }
    }
  }
}

TEST(Truth, NeedsEveryObjectAndEveryRelation) {
  const Scene scene = three_objects();
  EXPECT_TRUE(is_true(scene, "a small green star to the right of a red circle and to the right of a blue square"));
  expect_false(scene, "a small red circle above a large blue square", Fault::kCount,
               "the caption names 2 objects, the scene has 3");
  expect_false(scene, "a small red circle", Fault::kCount, "the caption names 1 object, the scene has 3");
  expect_false(scene, "a large red circle above a large blue square and to the left of a small green star",
               Fault::kObject, "the scene has no large red circle");
  expect_false(scene, "a red circle above a blue square and to the left of a white star", Fault::kObject,
               "the scene has no white star");
  expect_false(scene, "a red circle above a blue square and above a blue square", Fault::kObject,
               "the blue square is named twice");
  expect_false(scene, "a small red circle above a large blue square and to the right of a small green star",
               Fault::kRelation, "the small red circle is not to the right of the small green star");
  expect_false(scene, "बड़े नीले वर्ग के नीचे और छोटे हरे तारे के बाईं ओर एक छोटा लाल वृत्त", Fault::kRelation,
               "the small red circle is not below the large blue square");
  expect_false(scene, "a red circle and a blue square", Fault::kGrammar,
               "word 4: 'and' begins none of to the left of, to the right of, above, below");
}

// A caption in which one content word is another content word of its kind.
std::vector<std::string> mutations(const std::string& text) {
  static constexpr std::string_view kGroups[] = {"small large",
                                                 "red orange yellow green blue purple white black",
                                                 "circle square triangle star heart moon kite drop",
                                                 "above below",
                                                 "left right",
                                                 "छोटा बड़ा",
                                                 "छोटे बड़े",
                                                 "छोटी बड़ी",
                                                 "पीला हरा नीला काला",
                                                 "पीले हरे नीले काले",
                                                 "पीली हरी नीली काली",
                                                 "लाल नारंगी बैंगनी सफ़ेद",
                                                 "वृत्त वर्ग त्रिभुज दिल चाँद",
                                                 "पतंग बूँद",
                                                 "ऊपर नीचे",
                                                 "बाईं दाईं"};
  const phrases::Words words = phrases::words(text, {});
  std::vector<std::string> result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const std::string_view group : kGroups) {
      const phrases::Words alike = phrases::words(group, {});
      const auto same = [&](const phrases::Word& word) { return word.text == words[i].text; };
      if (std::ranges::none_of(alike, same)) continue;
      for (const phrases::Word& other : alike) {
        if (same(other)) continue;
        std::string mutated;
        for (std::size_t j = 0; j < words.size(); ++j) {
          mutated += (j == 0 ? "" : " ") + (j == i ? other.text : words[j].text);
        }
        result.push_back(mutated);
      }
    }
  }
  return result;
}

TEST(Truth, IsLostByOneWrongWord) {
  std::size_t tried = 0;
  for (std::uint64_t number = 0; number < 300; ++number) {
    for (const Language language : {Language::kEnglish, Language::kHindi}) {
      const Example made = example(language, Part::kTrain, number);
      for (const std::string& mutated : mutations(made.caption.text)) {
        EXPECT_FALSE(is_true(made.scene, mutated)) << made.caption.text << " | " << mutated;
        ++tried;
      }
    }
  }
  EXPECT_GT(tried, 10000u);
}

TEST(Truth, RarelyHoldsForCaptionsOfOtherScenes) {
  std::size_t coincidences = 0;
  for (std::uint64_t number = 0; number < 500; ++number) {
    const Example other = example(Language::kHindi, Part::kTrain, number + 1);
    coincidences += is_true(scene(number, Part::kTrain), other.caption.text) ? 1 : 0;
  }
  EXPECT_LE(coincidences, 5u);
}

}  // namespace
}  // namespace dhyan::picturebook
