// Commands on the folder of a trained model of pictures.

#include <cmath>
#include <gtest/gtest.h>

#include "runs/average.h"
#include "runs/quantize.h"
#include "runs/report.h"
#include "runs/testing/tiny_captions.h"
#include "translator/picture_test_set.h"
#include "translator/testing/tiny_caption_model.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

class CaptionFolders : public CaptionRuns {
 protected:
  static TestSet scenes(Index count = 30) {
    return scene_test_set(picturebook::Language::kEnglish, Part::kTest, count, {16, 16});
  }

  // The mean log-probability of the words of given captions.
  static double mean_score(const Translator& translator, const TestSet& set) {
    std::vector<std::string> captions;
    for (const auto& references : set.references) captions.push_back(references.front());
    double sum = 0, words = 0;
    for (const Translation& forced : translator.force(set.inputs(), captions, {})) {
      sum += forced.hypothesis.log_probability;
      words += static_cast<double>(forced.hypothesis.tokens.size());
    }
    return sum / words;
  }
};

TEST_F(CaptionFolders, AreQuantized) {
  for (const char* kind : {"recurrent", "transformer"}) {
    const LoadedModel loaded = tiny_caption_model(kind);
    save_model(model("float"), loaded.config, loaded.tokenizers, *loaded.model);
    const QuantizedModel quantized = quantize_model(model("float"), model("int8"), Existing::kOverwrite);
    EXPECT_LT(quantized.bytes_after, 0.6 * static_cast<double>(quantized.bytes_before)) << "convolutions too";
    const Translator before(fs::path{model("float")}), after(fs::path{model("int8")});
    EXPECT_NEAR(mean_score(after, scenes()), mean_score(before, scenes()), 0.02) << kind;
    const SearchOptions search{.beam_size = 2, .max_length = 8};
    const auto together = after.translate(scenes().inputs(), search);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(after.translate(scenes().inputs().part(i, 1), search)[0][0].hypothesis.token_scores,
                together[i][0].hypothesis.token_scores);
    }
  }
}

TEST_F(CaptionFolders, AreAveraged) {
  config_.training.keep_last = 2;
  train("model");
  average_models(checkpoints_of({.inputs = {model()}, .last = 2}), model("mean"));
  const Translator mean(fs::path{model("mean")});
  EXPECT_TRUE(std::isfinite(mean_score(mean, scenes())));
  EXPECT_NE(weights("mean"), weights());
}

TEST_F(CaptionFolders, InitialiseOtherTrainings) {
  config_ = TinyPictures::book_config();
  config_.training.max_steps = 3;
  train("model");
  config_ = pictures_.config();
  config_.tokenizer = {};
  config_.init_from = model();
  config_.training.max_steps = 1;
  train("next");
  const std::string text = note("weights: ");
  EXPECT_EQ(text.find("randomly initialised"), text.npos) << text;
  EXPECT_NE(text.find(" from " + model()), text.npos) << text;
  EXPECT_EQ(load_config(model("next")).data.images, pictures_.folder().path().string());
}

TEST_F(CaptionFolders, AreReported) {
  config_.validation.samples = 4;
  train("model");
  const std::string page = training_report(model());
  std::size_t shown = 0;
  for (std::uint64_t i = 0; i < TinyPictures::kHeldOut; ++i) {
    shown += page.find(TinyPictures::captions_of(TinyPictures::kTrain + i)[0].text) != page.npos ? 1 : 0;
  }
  EXPECT_EQ(shown, 4u) << "each picture is a sample of its own";
  EXPECT_NE(page.find("a picture of 4 cells"), page.npos);
}

// The check must come before memory is allocated for the weights of a config.
TEST_F(CaptionFolders, AreRefusedIfWeightsAreTooSmallForTheConfig) {
  const LoadedModel loaded = tiny_caption_model();
  Config config = loaded.config;
  save_model(model(), config, loaded.tokenizers, *loaded.model);
  config.common.backbone.width = 65536;
  save_config(model(), config);
  EXPECT_NE(thrown<ModelFileError>([&] { load_model(model()); }).find("too few for the model"), std::string::npos);
  config.common.encoder = "patches";
  config.common.backbone = {.image_size = 1024, .patch_size = 1024, .width = 65535};
  save_config(model(), config);
  EXPECT_NE(thrown<ModelFileError>([&] { load_model(model()); }).find("too few for the model"), std::string::npos);
  config.common.encoder = "text";
  save_config(model(), config);
  EXPECT_THROW(load_model(model()), ModelFileError);
}

}  // namespace
}  // namespace dhyan
