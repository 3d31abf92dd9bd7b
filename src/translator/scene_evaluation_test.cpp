// Evaluation of captions of the picture book.

#include <gtest/gtest.h>

#include "translator/evaluation.h"
#include "translator/testing/tiny_caption_model.h"

namespace dhyan {
namespace {

using picturebook::Language;

Translation true_caption(std::uint64_t number) {
  Translation caption;
  caption.text = picturebook::example(Language::kEnglish, Part::kTest, number).caption.text;
  return caption;
}

TEST(SceneJudge, ScoresGroupsOfScenesApart) {
  const LoadedModel model = tiny_caption_model();
  SceneJudge judge(Part::kTest, *model.tokenizers.target, {2, 2});
  Index of_two = 0, new_pairs = 0;
  for (std::uint64_t number = 0; number < 40; ++number) {
    const picturebook::Scene scene = picturebook::scene(number, Part::kTest);
    Translation caption = true_caption(number);
    if (scene.objects.size() == 2) caption.text = "a red";
    judge.add(number, caption);
    of_two += scene.objects.size() == 2 ? 1 : 0;
    new_pairs += picturebook::has_held_out_pair(scene) ? 1 : 0;
  }
  const SceneScores scores = judge.scores();
  EXPECT_EQ(scores.scenes, 40);
  EXPECT_NEAR(scores.true_captions, 100.0 * static_cast<double>(40 - of_two) / 40, 1e-9);
  EXPECT_EQ(scores.faults.size(), static_cast<std::size_t>(of_two));
  ASSERT_EQ(scores.groups.size(), 5u);
  EXPECT_EQ(scores.groups[0].name, "1 object");
  EXPECT_EQ(scores.groups[0].true_captions, 100);
  EXPECT_EQ(scores.groups[1].name, "2 objects");
  EXPECT_EQ(scores.groups[1].scenes, of_two);
  EXPECT_EQ(scores.groups[1].true_captions, 0);
  EXPECT_EQ(scores.groups[3].name, "known pairs");
  EXPECT_EQ(scores.groups[3].scenes, 40 - new_pairs);
  EXPECT_EQ(scores.groups[4].scenes, new_pairs);
  EXPECT_GT(new_pairs, 0);
}

TEST(SceneJudge, LeavesOutGroupsWithoutScenes) {
  const LoadedModel model = tiny_caption_model();
  SceneJudge judge(Part::kDev, *model.tokenizers.target, {2, 2});
  judge.add(0, true_caption(0));
  EXPECT_EQ(judge.scores().groups.size(), 2u) << "one number of objects, and no new pairs";
}

TEST(Evaluation, JudgesCaptionsOfScenes) {
  const Translator translator(tiny_caption_model());
  const TestSet set = scene_test_set(Language::kEnglish, Part::kTest, 12, {16, 16});
  const EvaluationOptions options{.search = {.beam_size = 2, .max_length = 8}, .scoring = {.metrics = {"coco-bleu1"}}};
  const Evaluation found = evaluate(translator, set, options);
  ASSERT_TRUE(found.scenes.has_value());
  EXPECT_EQ(found.scenes->scenes, 12);
  ASSERT_TRUE(found.variety.has_value());
  EXPECT_GT(found.variety->words, 0);

  SearchOptions search = options.search;
  search.keep = RecordedAttention::kWeights;
  std::vector<Translation> captions;
  for (auto& n_best : translator.translate(set.inputs(), search)) captions.push_back(std::move(n_best.front()));
  const SceneScores apart =
      score_scenes(set, captions, *translator.tokenizers().target, translator.model().pictures().grid);
  EXPECT_EQ(found.scenes->true_captions, apart.true_captions);
  EXPECT_EQ(found.scenes->faults, apart.faults);
  EXPECT_EQ(found.scenes->attention.inside, apart.attention.inside);
}

}  // namespace
}  // namespace dhyan
