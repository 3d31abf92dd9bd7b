// Trainings with a backbone whose weights come from a file.

#include <gtest/gtest.h>

#include "interop/parameter_file.h"
#include "runs/quantize.h"
#include "runs/testing/tiny_captions.h"
#include "translator/translator.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

class PretrainedRuns : public CaptionRuns {
 protected:
  PretrainedRuns() {
    config_.common.encoder = "efficientnet-lite0";
    config_.common.backbone.grid_size = 14;
    config_.encoder_weights = pictures_.backbone_weights();
    config_.data.train = {pictures_.folder().write("few.tsv", lines(0, 3))};
    config_.data.valid = {pictures_.folder().write("fewer.tsv", lines(3, 5))};
    config_.data.picture_cache = pictures_.path("cache");
    config_.training.batch.max_tokens = 30;
    config_.training.max_epochs = 2;
    config_.validation.metrics = {"cider-d"};
  }

  static std::string lines(std::uint64_t begin, std::uint64_t end) {
    std::string text;
    for (std::uint64_t i = begin; i < end; ++i) {
      for (const auto& caption : TinyPictures::captions_of(i)) text += cat("p", i, ".png\t", caption.text, "\n");
    }
    return text;
  }

  Tensor weight(const std::string& name, const std::string& of = "model") const {
    const SafetensorsFile file(fs::path(model(of)) / "model.safetensors");
    return file.read(*file.find("encoder.backbone." + name));
  }
  static bool same(const Tensor& a, const Tensor& b) { return std::ranges::equal(a.span(), b.span()); }
};

TEST_F(PretrainedRuns, KeepAFrozenBackboneAndItsFeatures) {
  train("model", Existing::kRefuse, 2);
  EXPECT_EQ(note("pictures: 3"), "pictures: 3 pictures, features of 14 x 14 cells; 3 not in the cache");
  EXPECT_EQ(note("backbone: "), cat("backbone: efficientnet-lite0, weights from ", config_.encoder_weights));
  EXPECT_EQ(std::distance(fs::directory_iterator(pictures_.path("cache")), {}), 1);
  const SafetensorsFile file(config_.encoder_weights);
  EXPECT_TRUE(same(weight("stem.bias"), file.read(*file.find("_conv_stem.bias"))));
  EXPECT_TRUE(same(weight("blocks.10.project.bias"), file.read(*file.find("_blocks.10._project_conv.bias"))));
}

TEST_F(PretrainedRuns, AreResumedWithoutTheWeightFile) {
  train("straight");
  train("model", Existing::kRefuse, 1, 2);
  fs::remove(config_.encoder_weights);
  fs::remove_all(pictures_.path("cache"));
  EXPECT_EQ(train("model", Existing::kResume), Ended::kEpochs);
  EXPECT_EQ(note("pictures: 3"), "pictures: 3 pictures, features of 14 x 14 cells; 3 not in the cache");
  EXPECT_EQ(weights("model"), weights("straight"));
  EXPECT_EQ(Translator{fs::path(model())}.model().pictures().grid, (GridShape{14, 14}));
}

TEST_F(PretrainedRuns, TrainTheLastBlocks) {
  config_.common.backbone.tuned_blocks = 1;
  config_.training.max_steps = 2;
  train("model");
  EXPECT_EQ(note("pictures: 3"), "pictures: 3 pictures, 224 x 224 pixels; 3 not in the cache");
  const SafetensorsFile file(config_.encoder_weights);
  EXPECT_TRUE(same(weight("blocks.9.project.bias"), file.read(*file.find("_blocks.9._project_conv.bias"))));
  EXPECT_FALSE(same(weight("blocks.10.project.bias"), file.read(*file.find("_blocks.10._project_conv.bias"))));
  train("stopped", Existing::kRefuse, 1, 1);
  train("stopped", Existing::kResume);
  EXPECT_EQ(weights("stopped"), weights("model"));
}

TEST_F(PretrainedRuns, TakeTheBackboneFromAModelOrAFile) {
  config_.training.max_steps = 1;
  train("first");
  const std::string file = config_.encoder_weights;
  config_.encoder_weights.clear();
  config_.init_from = model("first");
  train("model");
  EXPECT_EQ(note("backbone: "),
            cat("backbone: efficientnet-lite0, weights from ", model("first"), "/model.safetensors"));
  EXPECT_TRUE(same(weight("stem.bias"), weight("stem.bias", "first")));
  EXPECT_EQ(note("pictures: 3"), "pictures: 3 pictures, features of 14 x 14 cells; 0 not in the cache");

  quantize_model(model("first"), model("int8"), Existing::kRefuse);
  config_.init_from = model("int8");
  train("rounded");
  EXPECT_TRUE(same(weight("stem.bias", "rounded"), weight("stem.bias", "first")));
  EXPECT_FALSE(same(weight("blocks.10.project.weight", "rounded"), weight("blocks.10.project.weight", "first")));
  config_.init_from = model("first");

  config_.common.backbone.grid_size = 7;  // the model has only the blocks before its grid of 14 x 14
  EXPECT_EQ(thrown<ConfigError>([&] { train("other"); }),
            cat(model("first"),
                "/model.safetensors: lacks weights of encoder efficientnet-lite0; encoder-weights names "
                "the file of its weights"));
  config_.common.backbone.tuned_blocks = 1;
  EXPECT_THROW(train("other"), ConfigError) << "also where no features are computed";
  config_.encoder_weights = file;
  EXPECT_NE(thrown<ModelFileError>([&] { train("other"); }).find("has no tensor '_blocks.11."), std::string::npos);
}

}  // namespace
}  // namespace dhyan
