#include "translator/picture_test_set.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "phrasebook/picturebook.h"
#include "phrasebook/scene_regions.h"
#include "phrasebook/scene_truth.h"
#include "translator/testing/tiny_caption_model.h"
#include "vision/write_picture.h"

namespace dhyan {
namespace {

using picturebook::Language;

TEST(SceneTestSet, HasTheFirstScenesWithAllTrueCaptions) {
  for (const Language language : {Language::kEnglish, Language::kHindi}) {
    const TestSet set = scene_test_set(language, Part::kDev, 30, {32, 32});
    ASSERT_EQ(set.sources.size(), 30u);
    EXPECT_EQ(set.sources[4], "scene 4");
    EXPECT_EQ(set.scenes, Part::kDev);
    EXPECT_EQ(set.pictures->format().size, (GridShape{32, 32}));
    for (std::size_t i = 0; i < set.sources.size(); ++i) {
      const picturebook::Scene scene = picturebook::scene(i, Part::kDev);
      EXPECT_EQ(set.references[i].size(), picturebook::references(scene, language).size());
      for (const std::string& caption : set.references[i]) EXPECT_TRUE(picturebook::is_true(scene, caption)) << caption;
    }
    EXPECT_EQ(sentence_lengths(set).front(), std::ranges::count(set.references[0][0], ' ') + 1);
  }
}

class CaptionTestSet : public testing::Test {
 protected:
  CaptionTestSet() {
    for (std::uint64_t i = 0; i < 3; ++i) {
      folder_.write(cat("p", i, ".png"), to_png_bytes(picturebook::draw(picturebook::scene(i, Part::kTest))));
    }
    folder_.write("broken.png", to_png_bytes(picturebook::draw(picturebook::scene(9, Part::kTest))).substr(0, 200));
  }

  TestSet read(const std::string& text, Part part = Part::kTest) {
    unreadable_.clear();
    return caption_test_set(folder_.write("captions.tsv", text), part, folder_.path(), {16, 16}, unreadable_);
  }

  TemporaryFolder folder_;
  std::vector<std::string> unreadable_;
};

TEST_F(CaptionTestSet, HasAllCaptionsOfAPicture) {
  const TestSet set = read("p1.png\tone\np0.png\ttwo\np1.png\tthree\n");
  EXPECT_EQ(set.sources, (std::vector<std::string>{"p1.png", "p0.png"}));
  EXPECT_EQ(set.references, (std::vector<std::vector<std::string>>{{"one", "three"}, {"two"}}));
  EXPECT_TRUE(unreadable_.empty());
  EXPECT_FALSE(set.scenes.has_value());
  EXPECT_EQ(set.pictures->format().size, (GridShape{16, 16}));
}

TEST_F(CaptionTestSet, HasThePartOfAFileWithASplit) {
  const std::string text = "split\timage\tcaption\ntrain\tp0.png\tone\ntest\tp1.png\ttwo\nval\tp2.png\tthree\n";
  EXPECT_EQ(read(text).sources, std::vector<std::string>{"p1.png"});
  EXPECT_EQ(read(text, Part::kDev).sources, std::vector<std::string>{"p2.png"});
}

TEST_F(CaptionTestSet, NamesPicturesThatCannotBeRead) {
  const TestSet set = read("gone.png\tone\np2.png\ttwo\nbroken.png\tthree\n");
  EXPECT_EQ(set.sources, std::vector<std::string>{"p2.png"});
  EXPECT_EQ(set.references, (std::vector<std::vector<std::string>>{{"two"}}));
  ASSERT_EQ(unreadable_.size(), 2u);
  EXPECT_NE(unreadable_[0].find("gone.png"), std::string::npos) << unreadable_[0];
  EXPECT_NE(unreadable_[1].find("broken.png"), std::string::npos) << unreadable_[1];
  std::vector<std::uint8_t> pixels(set.pictures->format().bytes());
  EXPECT_NO_THROW(set.pictures->read(0, std::as_writable_bytes(std::span(pixels)))) << "numbers pass over them";
  const std::string refusal = thrown<DataError>([&] { read("gone.png\tone\n"); });
  EXPECT_NE(refusal.find("none of its pictures can be read; the first: "), std::string::npos) << refusal;
}

class SceneCaptions : public testing::Test {
 protected:
  static constexpr GridShape kGrid{8, 8};

  // True captions whose words attend to the cells of what they are about, or to all cells alike.
  std::vector<Translation> captions(bool pointing) const {
    std::vector<Translation> all;
    for (std::size_t i = 0; i < set_.sources.size(); ++i) {
      const picturebook::Example example = picturebook::example(Language::kEnglish, Part::kTest, i);
      Translation caption;
      caption.text = example.caption.text;
      caption.hypothesis.tokens = tokenizer_->encode(caption.text).ids;
      caption.hypothesis.tokens.push_back(kEnd);
      const auto cells = picturebook::word_cells(example.scene, example.caption.objects, kGrid.height, kGrid.width);
      AttentionRecord record;
      for (std::size_t t = 0; t < caption.hypothesis.tokens.size(); ++t) {
        std::vector<Real>& row = record.weights.emplace_back(64, static_cast<Real>(pointing ? 0 : 1.0 / 64));
        if (!pointing) continue;
        if (t >= cells.size() || cells[t].empty()) {
          row[0] = 1;
          continue;
        }
        for (const Index cell : cells[t]) {
          row[static_cast<std::size_t>(cell)] = Real{1} / static_cast<Real>(cells[t].size());
        }
      }
      caption.hypothesis.attention = {record};
      all.push_back(std::move(caption));
    }
    return all;
  }

  TestSet set_ = scene_test_set(Language::kEnglish, Part::kTest, 12, {64, 64});
  std::shared_ptr<const Tokenizer> tokenizer_ = tiny_caption_model().tokenizers.target;
};

TEST_F(SceneCaptions, GetFullScoresIfTrueWithExactAttention) {
  const SceneScores scores = score_scenes(set_, captions(true), *tokenizer_, kGrid);
  EXPECT_EQ(scores.true_captions, 100);
  EXPECT_TRUE(scores.faults.empty());
  EXPECT_GT(scores.attention.words, 12 * 3);
  EXPECT_NEAR(scores.attention.correctness(), 1, 1e-5);
  EXPECT_EQ(scores.attention.pointing(), 1);
  EXPECT_LT(scores.attention.baseline(), 0.5);
}

TEST_F(SceneCaptions, AreCountedByGroups) {
  const SceneScores scores = score_scenes(set_, captions(true), *tokenizer_, kGrid);
  Index by_objects = 0, by_pairs = 0, words = 0;
  for (const SceneGroup& group : scores.groups) {
    EXPECT_GT(group.scenes, 0) << group.name;
    EXPECT_EQ(group.true_captions, 100) << group.name;
    const bool objects = group.name.find("object") != std::string::npos;
    (objects ? by_objects : by_pairs) += group.scenes;
    if (objects) words += group.attention.words;
  }
  EXPECT_EQ(by_objects, 12);
  EXPECT_EQ(by_pairs, 12);
  EXPECT_EQ(words, scores.attention.words);
  EXPECT_EQ(scores.scenes, 12);
}

TEST_F(SceneCaptions, ScoreTheBaselineWithUniformAttention) {
  const SceneScores scores = score_scenes(set_, captions(false), *tokenizer_, kGrid);
  EXPECT_NEAR(scores.attention.correctness(), scores.attention.baseline(), 1e-5);
}

TEST_F(SceneCaptions, AreNamedIfFalse) {
  std::vector<Translation> all = captions(true);
  const Index words = score_scenes(set_, all, *tokenizer_, kGrid).attention.words;
  all[3].text = "a small red";
  all[4].hypothesis.attention.clear();
  const SceneScores scores = score_scenes(set_, all, *tokenizer_, kGrid);
  EXPECT_NEAR(scores.true_captions, 100.0 * 11 / 12, 1e-9);
  ASSERT_EQ(scores.faults.size(), 1u);
  EXPECT_TRUE(scores.faults.front().starts_with("scene 3: a small red: ")) << scores.faults.front();
  EXPECT_LT(scores.attention.words, words);
  EXPECT_EQ(scores.attention.pointing(), 1);
  EXPECT_THROW(score_scenes(set_, std::span(all).first(3), *tokenizer_, kGrid), UsageError);
}

}  // namespace
}  // namespace dhyan
