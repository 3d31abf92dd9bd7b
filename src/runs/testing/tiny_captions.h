#pragma once

#include "backbones/backbones.h"
#include "interop/safetensors.h"
#include "phrasebook/picturebook.h"
#include "runs/testing/training_runs.h"
#include "vision/write_picture.h"

namespace dhyan {

// For tests: a folder of pictures with captions, two of each picture, and configs with which training takes a moment.
// captions.tsv has a split: 20 pictures to train on, one of them twice under different names, and 4 held out. One
// picture of each part has no file, and one to train on is broken.
class TinyPictures {
 public:
  static constexpr int kTrain = 20, kHeldOut = 4;

  TinyPictures() {
    std::string captions = "image\tcaption\tsplit\n", dev, train;
    const auto add = [&](const std::string& name, std::uint64_t scene, const char* part) {
      for (const picturebook::Caption& caption : captions_of(scene)) {
        captions += cat(name, '\t', caption.text, '\t', part, '\n');
        (std::string_view(part) == "val" ? dev : train) += cat(name, '\t', caption.text, '\n');
      }
    };
    for (std::uint64_t i = 0; i < kTrain + kHeldOut; ++i) {
      write(cat("p", i, ".png"), i);
      add(cat("p", i, ".png"), i, i < kTrain ? "train" : "val");
    }
    write("copy of p0.png", 0);
    add("copy of p0.png", 0, "train");
    add("gone.png", 30, "train");
    add("gone too.png", 31, "val");
    folder_.write("broken.png", to_png_bytes(picture(32)).substr(0, 99));
    add("broken.png", 32, "train");
    folder_.write("captions.tsv", captions);
    folder_.write("train.tsv", train);
    folder_.write("dev.tsv", dev);
  }

  // 16 x 16 pixels are a grid of 2 x 2.
  static Config book_config() {
    Config config;
    config.common.encoder = "conv";
    config.common.backbone = {.image_size = 16, .patch_size = 8, .width = 6};
    config.recurrent.embedding = config.common.hidden = config.recurrent.output_hidden = 8;
    config.transformer.feed_forward = 12;
    config.common.dropout = 0.1;
    config.tokenizer.kind = "word";
    config.data.scenes = 60;
    config.validation.sentences = 12;
    config.training.batch.max_tokens = 120;
    config.training.schedule_settings.learning_rate = 0.01;
    config.training.max_epochs = 2;
    config.training.report_steps = 4;
    return config;
  }

  Config config() const {
    Config config = book_config();
    config.data.train = {path("captions.tsv")};
    config.data.images = folder_.path().string();
    return config;
  }

  // Writes random weights for EfficientNet-Lite0 up to a grid of 14 x 14 to a file in the format of the pretrained one.
  std::string backbone_weights() const {
    ParameterSet parameters;
    const BackboneEntry& entry = backbones().back();
    const auto network = entry.make(parameters, "n", {.grid_size = 14}, Rng(4));
    std::vector<NamedTensor> tensors;
    for (const Parameter& weight : parameters) {
      const bool stem = weight.name.starts_with("n.stem");
      const std::string name = weight.name.substr(2);
      const std::size_t layer = name.find('.', name.find('.') + 1) + 1, part = name.find('.', layer);
      tensors.push_back(
          {stem ? "_conv_" + name
                : cat("_", name.substr(0, layer), "_", name.substr(layer, part - layer), "_conv", name.substr(part)),
           in_file(weight, stem)});
    }
    save_tensors(path("backbone.safetensors"), tensors);
    return path("backbone.safetensors");
  }

  static Picture picture(std::uint64_t scene) { return picturebook::draw(picturebook::scene(scene, Part::kTrain)); }

  static std::vector<picturebook::Caption> captions_of(std::uint64_t scene) {
    auto all = picturebook::references(picturebook::scene(scene, Part::kTrain), picturebook::Language::kEnglish);
    all.resize(std::min<std::size_t>(2, all.size()));
    return all;
  }

  std::string path(std::string_view name) const { return folder_.path(name); }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  // The same values in PyTorch's shape: the order does not matter for random values.
  static Tensor in_file(const Parameter& weight, bool stem) {
    const Shape& shape = weight.value.shape();
    if (shape.rank() == 1) return weight.value;
    Index kernel = stem ? 3 : 1;
    while (weight.name.find(".depthwise.") != std::string::npos && kernel * kernel < shape[0]) ++kernel;
    return weight.value.reshaped({shape[1], shape[0] / (kernel * kernel), kernel, kernel});
  }

  void write(const std::string& name, std::uint64_t scene) const { folder_.write(name, to_png_bytes(picture(scene))); }

  TemporaryFolder folder_;
};

// For tests of TrainingRun with pictures.
class CaptionRuns : public testing::Test {
 protected:
  struct Notes final : RunObserver {
    void on_note(const std::string& text) override { notes.push_back(text); }
    void on_validation(const ValidationEvent& event) override {
      metrics.emplace_back(event.metrics.begin(), event.metrics.end());
      samples.assign(event.samples.begin(), event.samples.end());
    }

    std::vector<std::string> notes;
    std::vector<std::vector<NamedScore>> metrics;
    std::vector<SampleTranslation> samples;
  };

  std::string model(std::string_view name = "model") const { return pictures_.path(name); }

  Ended train(const std::string& name, Existing existing = Existing::kRefuse, int threads = 1, Index stop = -1) {
    notes_ = {};
    TrainingRun run(config_, {.folder = model(name), .existing = existing, .threads = threads}, notes_);
    const Ended ended = run.run([&] { return run.state().step == stop; });
    facts_ = run.facts();
    return ended;
  }

  std::string note(std::string_view beginning) const {
    for (const std::string& text : notes_.notes) {
      if (text.starts_with(beginning)) return text;
    }
    return {};
  }

  std::string read(const std::string& name) const { return pictures_.folder().read(name); }
  std::string weights(const std::string& name = "model") const { return read(name + "/model.safetensors"); }

  TinyPictures pictures_;
  Config config_ = pictures_.config();
  Notes notes_;
  RunFacts facts_;
};

}  // namespace dhyan
