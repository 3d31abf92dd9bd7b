// BLEU, ROUGE-L and CIDEr-D of captions equal those of pycocoevalcap; tests/golden/make_captions.py.

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "metrics/caption_scores.h"
#include "metrics/cider_d.h"
#include "metrics/coco_bleu.h"
#include "metrics/rouge_l.h"
#include "metrics/words.h"
#include "text/unicode.h"

namespace dhyan {
namespace {

using Json = nlohmann::json;
using Captions = std::pair<std::vector<std::string>, std::vector<std::vector<std::string>>>;

constexpr double kTolerance = 1e-9;  // of scores times 100

struct Picture {
  std::string hypothesis;
  std::vector<std::string> references;
};

class CaptionGolden : public testing::Test {
 protected:
  void SetUp() override {
    std::ifstream file(DHYAN_GOLDEN_CAPTIONS);
    golden_ = Json::parse(file);
    ASSERT_GE(golden_.at("pictures").size(), 80u);
    for (const Json& row : golden_["pictures"]) {
      raw_.push_back({row.at(0), row.at(1)});
      words_.push_back({row.at(2), row.at(3)});
    }
  }

  static Captions captions_of(const Json& set, const std::vector<Picture>& pictures) {
    Captions captions;
    for (const Json& number : set.at("pictures")) {
      const Picture& picture = pictures.at(number.get<std::size_t>());
      captions.first.push_back(picture.hypothesis);
      captions.second.push_back(picture.references);
    }
    return captions;
  }

  static void expect_scores(const Json& set, const Captions& captions, const CaptionOptions& options) {
    const CaptionScores scores = caption_scores({captions.first, captions.second}, options);
    const auto expected = set.at("scores").get<std::vector<double>>();
    for (std::size_t n = 0; n < 4; ++n) EXPECT_NEAR(scores.coco_bleu[n], 100 * expected[n], kTolerance) << n;
    EXPECT_NEAR(scores.rouge_l, 100 * expected[4], kTolerance);
    EXPECT_NEAR(scores.cider_d, 100 * expected[5], kTolerance);
  }

  Json golden_;
  std::vector<Picture> raw_, words_;
};

// The words of pycocoevalcap without dandas, which it does not know as punctuation.
std::string without_dandas(const std::string& words) {
  const std::u32string text = to_utf32(words);
  std::u32string kept;
  for (const std::u32string_view word : split_words(text)) {
    if (word != U"\u0964") kept.append(kept.empty() ? U"" : U" ").append(word);
  }
  return to_utf8(kept);
}

TEST_F(CaptionGolden, WordsAreThoseOfThePtbTokenizerWithoutDandas) {
  for (std::size_t i = 0; i < raw_.size(); ++i) {
    EXPECT_EQ(to_utf8(caption_words(raw_[i].hypothesis)), without_dandas(words_[i].hypothesis));
    for (std::size_t j = 0; j < raw_[i].references.size(); ++j) {
      EXPECT_EQ(to_utf8(caption_words(raw_[i].references[j])), without_dandas(words_[i].references[j]));
    }
  }
}

TEST_F(CaptionGolden, PicturesScoreAsWithPycocoevalcap) {
  const CaptionOptions tokenized{.tokenized = true};
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const auto& [hypothesis, references] = words_[i];
    const auto expected = golden_["pictures"][i].at(4).get<std::vector<double>>();
    for (std::size_t n = 0; n < 4; ++n) {
      const CocoBleu bleu(static_cast<Index>(n) + 1, tokenized);
      EXPECT_NEAR(bleu.score(bleu.counts(hypothesis, references)), 100 * expected[n], kTolerance) << hypothesis;
    }
    const RougeL rouge(tokenized);
    EXPECT_NEAR(rouge.score(rouge.counts(hypothesis, references)), 100 * expected[4], kTolerance) << hypothesis;
  }
}

TEST_F(CaptionGolden, SetsOfTokenisedCaptionsScoreAsWithPycocoevalcap) {
  const CaptionOptions tokenized{.tokenized = true};
  const CiderD cider(tokenized);
  ASSERT_GE(golden_.at("sets").size(), 5u);
  for (const Json& set : golden_["sets"]) {
    const Captions captions = captions_of(set, words_);
    expect_scores(set, captions, tokenized);
    const std::vector<Counts> counts = sentence_counts(cider, {captions.first, captions.second});
    const auto expected = set.at("cider").get<std::vector<double>>();
    for (std::size_t i = 0; i < counts.size(); ++i) EXPECT_NEAR(cider.score(counts[i]), 100 * expected[i], kTolerance);
  }
}

// Hindi is left out: pycocoevalcap counts dandas as words.
TEST_F(CaptionGolden, SetsOfEnglishCaptionsScoreAsWithPycocoevalcap) {
  std::size_t sets = 0;
  for (const Json& set : golden_.at("sets")) {
    const Captions captions = captions_of(set, raw_), tokenised = captions_of(set, words_);
    bool dandas = false;
    for (const auto& references : tokenised.second) {
      for (const std::string& reference : references) dandas |= without_dandas(reference) != reference;
    }
    if (dandas) continue;
    expect_scores(set, captions, {});
    ++sets;
  }
  EXPECT_GE(sets, 4u);
}

}  // namespace
}  // namespace dhyan
