// Pictures as the inputs of a translator.

#include <algorithm>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "kernels/simd/runtime.h"
#include "phrasebook/scene_drawing.h"
#include "translator/evaluation.h"
#include "translator/picture_files.h"
#include "translator/picture_test_set.h"
#include "translator/scene_pictures.h"
#include "translator/testing/fake_model.h"
#include "translator/testing/tiny_caption_model.h"
#include "vision/read_picture.h"
#include "vision/resize.h"
#include "vision/write_picture.h"

namespace dhyan {
namespace {

std::vector<std::uint8_t> bytes_of(const PictureSource& pictures, TokenId number) {
  std::vector<std::uint8_t> bytes(pictures.format().bytes());
  pictures.read(number, std::as_writable_bytes(std::span(bytes)));
  return bytes;
}

Picture drawn(std::uint64_t number, Part part = Part::kTest) {
  return picturebook::draw(picturebook::scene(number, part));
}

void expect_same_caption(const Translation& a, const Translation& b) {
  EXPECT_EQ(a.source, b.source);
  EXPECT_EQ(a.text, b.text);
  EXPECT_EQ(a.source_tokens, b.source_tokens);
  EXPECT_EQ(a.hypothesis.token_scores, b.hypothesis.token_scores);
  ASSERT_EQ(a.hypothesis.attention.size(), b.hypothesis.attention.size());
  for (std::size_t i = 0; i < a.hypothesis.attention.size(); ++i) {
    EXPECT_EQ(a.hypothesis.attention[i].weights, b.hypothesis.attention[i].weights);
  }
}

const SearchOptions kTwoCaptions{.beam_size = 2, .n_best = 2, .max_length = 9, .keep = RecordedAttention::kWeights};

TEST(Inputs, MapLinesToPictures) {
  const std::vector<std::string> names{"a", "b", "c", "d"};
  const ScenePictures pictures(Part::kDev, {16, 16});
  const Inputs all(names, &pictures, 10);
  EXPECT_EQ(all.picture(3), 13);
  const Inputs some = all.part(1, 2);
  EXPECT_EQ(some.size(), 2u);
  EXPECT_EQ(some.lines.front(), "b");
  EXPECT_EQ(some.picture(1), 12);
  EXPECT_EQ(some.pictures, &pictures);
  EXPECT_EQ(Inputs(names).pictures, nullptr);
}

TEST(ScenePictures, AreTheScenesOfAPart) {
  const ScenePictures whole(Part::kDev, {64, 64}), small(Part::kDev, {16, 24});
  EXPECT_EQ(whole.format(), (PictureFormat{.size = {64, 64}}));
  EXPECT_EQ(bytes_of(whole, 5), drawn(5, Part::kDev).pixels);
  EXPECT_NE(bytes_of(whole, 5), drawn(5, Part::kTest).pixels);
  EXPECT_EQ(bytes_of(small, 5), resize(drawn(5, Part::kDev), 16, 24).pixels);
}

TEST(PictureFiles, AreDecodedAndResized) {
  const TemporaryFolder folder;
  const std::string png = folder.write("a.png", to_png_bytes(drawn(1)));
  const std::string jpeg = folder.write("b.jpg", to_jpeg_bytes(drawn(2), 90));
  const PictureFiles files({png, jpeg, folder.path("gone.png"), folder.write("broken.png", "no picture")}, {32, 32});
  EXPECT_EQ(bytes_of(files, 0), resize(drawn(1), 32, 32).pixels);
  EXPECT_EQ(bytes_of(files, 1), resize(read_picture(jpeg, {.wanted_height = 32, .wanted_width = 32}), 32, 32).pixels);
  EXPECT_NE(thrown<IoError>([&] { bytes_of(files, 2); }).find("gone.png"), std::string::npos);
  EXPECT_NE(thrown<PictureError>([&] { bytes_of(files, 3); }).find("broken.png"), std::string::npos);
  EXPECT_EQ(thrown<UsageError>([&] { bytes_of(files, 4); }), "picture files: number 4 of 4");
  EXPECT_THROW(bytes_of(files, -1), UsageError);
}

TEST(Translator, CaptionsAPictureTheSameInAnyBatchAndOnAnyNumberOfThreads) {
  for (const char* kind : {"recurrent", "transformer"}) {
    const Translator translator(tiny_caption_model(kind));
    const Translator narrow(tiny_caption_model(kind), {.batch = {.max_tokens = 5, .max_sentences = 3}});
    const TestSet set = scene_test_set(picturebook::Language::kEnglish, Part::kTest, 20, {16, 16});
    const auto together = translator.translate(set.inputs(), kTwoCaptions);
    ASSERT_EQ(together.size(), 20u);
    bool differ = false;
    for (const int threads : {1, 3}) {
      ThreadPool pool(threads, kernels::prepare_thread);
      const auto cut = narrow.translate(set.inputs(), kTwoCaptions, {.pool = &pool});
      for (std::size_t i = 0; i < together.size(); ++i) {
        ASSERT_EQ(cut[i].size(), together[i].size());
        for (std::size_t n = 0; n < cut[i].size(); ++n) expect_same_caption(cut[i][n], together[i][n]);
        const auto alone = translator.translate(set.inputs().part(i, 1), kTwoCaptions).front();
        expect_same_caption(alone.front(), together[i].front());
        differ |= together[i].front().hypothesis.token_scores != together[0].front().hypothesis.token_scores;
      }
    }
    EXPECT_TRUE(differ) << "pictures are seen";
    EXPECT_EQ(together[7].front().source, "scene 7");
    EXPECT_EQ(together[7].front().source_tokens, std::vector<TokenId>{7});
    EXPECT_EQ(together[7].front().hypothesis.attention.front().weights.front().size(), 4u) << "cells";
    EXPECT_FALSE(together[7].front().mostly_unknown());
  }
}

TEST(Translator, ScoresTheCaptionItIsGiven) {
  const Translator translator(tiny_caption_model());
  const TestSet set = scene_test_set(picturebook::Language::kEnglish, Part::kTest, 5, {16, 16});
  const auto best = translator.translate(set.inputs(), {.beam_size = 1, .max_length = 6});
  std::vector<std::string> texts;
  for (const auto& n_best : best) texts.push_back(n_best.front().text);
  const auto forced = translator.force(set.inputs(), texts, {});
  for (std::size_t i = 0; i < forced.size(); ++i) {
    const std::vector<double> found(best[i].front().hypothesis.token_scores.begin(),
                                    best[i].front().hypothesis.token_scores.end());
    const std::vector<double> given(forced[i].hypothesis.token_scores.begin(),
                                    forced[i].hypothesis.token_scores.begin() + std::ssize(found));
    EXPECT_EQ(given, found);
  }
}

TEST(Translator, RefusesTextForAModelOfPicturesAndTheOtherWayRound) {
  const std::vector<std::string> lines{"a line"};
  const Translator captions(tiny_caption_model());
  EXPECT_EQ(thrown<UsageError>([&] { captions.translate(lines, {}); }),
            "Translator: the model reads pictures, expected pictures");
  EXPECT_THROW(captions.force(lines, lines, {}), UsageError);
  const Translator text(LoadedModel{{}, fake_tokenizers(), std::make_unique<FakeModel>()});
  const ScenePictures pictures(Part::kDev, {16, 16});
  EXPECT_EQ(thrown<UsageError>([&] {
              text.translate({lines, &pictures}, {});
            }),
            "Translator: the model reads text, expected lines of text");
  const ScenePictures others(Part::kDev, {32, 32});
  EXPECT_EQ(thrown<UsageError>([&] {
              captions.translate({lines, &others}, {});
            }),
            "pictures have 32 x 32 pixels, expected 16 x 16");
  EXPECT_TRUE(captions.translate({}, {}).empty());
  const ScenePictures right(Part::kDev, {16, 16});
  EXPECT_EQ(thrown<UsageError>([&] {
              captions.translate_with({lines, &right}, {.unknown = UnknownReplacement{}});
            }),
            "Translator: replacing <unk> needs source words; pictures have none");
}

TEST(Evaluation, MeasuresCaptionsByAnyNumberOfReferences) {
  const Translator translator(tiny_caption_model());
  TestSet set = scene_test_set(picturebook::Language::kEnglish, Part::kTest, 6, {16, 16});
  set.references[2].resize(1);
  const Evaluation found =
      evaluate(translator, set, {.search = {.max_length = 8}, .scoring = {.metrics = {"coco-bleu4", "cider-d"}}});
  EXPECT_EQ(found.translations.size(), 6u);
  EXPECT_EQ(found.text.scores.size(), 2u);
  EXPECT_GT(found.forced.perplexity, 1);
  EXPECT_EQ(found.mostly_unknown, 0u);
}

}  // namespace
}  // namespace dhyan
