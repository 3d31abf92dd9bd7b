#include "translator/model_folder.h"

#include <gtest/gtest.h>

#include "config/model_kinds.h"
#include "config/options.h"
#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"

namespace dhyan {
namespace {

TokenizerPair saved_words() { return pair_trained_on<WordTokenizer>("मैं खाना खा रहा हूँ", "I am eating food"); }

Config tiny() {
  Config config;
  config.recurrent.embedding = 5;
  config.common.hidden = 6;
  config.recurrent.output_hidden = 7;
  config.tokenizer.kind = "word";
  return config;
}

class ModelFolder : public FolderTest {
 protected:
  void save() {
    model_ = make_model(config_, saved_words(), Rng(3));
    save_model(folder_, config_, saved_words(), *model_);
  }
  std::string refusal() {
    return thrown<ModelFileError>([&] { load_model(folder_); });
  }
  std::string at(const std::string& file) { return (folder_ / file).string(); }

  Config config_ = tiny();
  std::unique_ptr<Model> model_;
};

TEST_F(ModelFolder, RoundTrips) {
  save();
  const LoadedModel loaded = load_model(folder_);
  EXPECT_EQ(to_json(loaded.config), to_json(config_));
  EXPECT_EQ(loaded.tokenizers.source->fingerprint(), saved_words().source->fingerprint());
  EXPECT_EQ(loaded.tokenizers.target->fingerprint(), saved_words().target->fingerprint());
  ASSERT_EQ(loaded.model->parameters().count(), model_->parameters().count());
  for (const Parameter& weight : model_->parameters()) {
    const auto now = loaded.model->parameters().find(weight.name)->value.span();
    EXPECT_TRUE(std::ranges::equal(now, weight.value.span())) << weight.name;
  }
}

TEST_F(ModelFolder, IsCreatedIfMissing) {
  model_ = make_model(config_, saved_words(), Rng(3));
  save_model(folder_ / "a" / "b", config_, saved_words(), *model_);
  EXPECT_NO_THROW(load_model(folder_ / "a" / "b"));
  write("file", "");
  EXPECT_THROW(save_model(folder_ / "file", config_, saved_words(), *model_), IoError);
}

TEST_F(ModelFolder, IsRefusedWithoutAnyOfItsFiles) {
  EXPECT_EQ(thrown<ModelFileError>([&] { load_model(folder_ / "none"); }), at("none") + ": there is no such folder");
  std::filesystem::create_symlink("loop", folder_ / "loop");
  EXPECT_EQ(thrown<ModelFileError>([&] { load_model(folder_ / "loop"); }),
            at("loop") + ": cannot be read: Too many levels of symbolic links");
  EXPECT_EQ(thrown<IoError>([&] { create_folder(folder_ / "loop"); }),
            at("loop") + ": cannot be used: its symbolic links form a loop");
  EXPECT_EQ(refusal(), folder_.string() + ": holds no config.json; expected the folder of a model");
  save();
  std::filesystem::remove(folder_ / "model.safetensors");
  EXPECT_EQ(refusal(), at("model.safetensors") + ": cannot be read: No such file or directory");
  save();
  std::filesystem::remove(folder_ / "target.vocab");
  EXPECT_EQ(refusal(), folder_.string() +
                           ": target.vocab is missing; expected source.vocab and target.vocab, or "
                           "shared.vocab");
}

TEST_F(ModelFolder, IsRefusedIfTrainingEndedBeforeItsFirstSave) {
  const std::string unfinished = folder_.string() +
                                 ": holds no model: the training there ended before its first save; 'dhyan train -o " +
                                 folder_.string() + "' starts over there";
  std::filesystem::create_directories(folder_ / "training");
  write("training/train-0.tokens", "");
  EXPECT_EQ(refusal(), unfinished);
  save();
  std::filesystem::remove(folder_ / "model.safetensors");
  EXPECT_EQ(refusal(), unfinished);
  write("training/state.safetensors", "");
  EXPECT_EQ(refusal(), folder_.string() +
                           ": holds no model yet: the training there ended during its first save; 'dhyan train "
                           "--resume -o " +
                           folder_.string() + "' continues it");
}

TEST_F(ModelFolder, IsExpectedInsteadOfAFile) {
  write("other", "");
  EXPECT_EQ(thrown<ModelFileError>([&] { load_model(folder_ / "other"); }),
            at("other") + ": is a file; expected the folder of a model");
  save();
  EXPECT_EQ(thrown<ModelFileError>([&] { load_model(folder_ / "config.json"); }),
            cat(at("config.json"), ": is a file; expected the folder of a model, which is '", folder_.string(), "'"));
}

TEST_F(ModelFolder, ListsItsCheckpointsTheFirstFirst) {
  EXPECT_TRUE(kept_checkpoints(folder_).empty());
  std::filesystem::create_directories(folder_ / "training");
  for (const char* file : {"step-100", "step-20", "step-five", "best-3"}) {
    write(cat("training/", file, ".safetensors"), "weights");
  }
  write("training/step-7.tokens", "not weights");
  EXPECT_EQ(kept_checkpoints(folder_), (std::vector<Index>{20, 100}));
}

TEST_F(ModelFolder, IsNotTrusted) {
  save();
  const std::string good = read("config.json");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string bad = good;
    bad.replace(bad.find(from), from.size(), to);
    write("config.json", bad);
    return refusal();
  };
  EXPECT_EQ(with("\"hidden\": 6", "\"hidden\": 6,"), at("config.json") + ": is not JSON at its byte 95");
  EXPECT_EQ(with("\"hidden\": 6", "\"hidden\": -6"),
            at("config.json") + ": hidden is '-6', expected a whole number from 1 to 65536");
  EXPECT_EQ(with("\"hidden\"", "\"hiden\""),
            at("config.json") + ": there is no option 'hiden'; did you mean 'hidden'?");
  EXPECT_NE(with("\"hidden\": 6", "\"hidden\": 60000")
                .find("too few for the model of config.json, which has at least 7.2e+09 weights"),
            std::string::npos)
      << "no memory is taken for a model that cannot be in the file";
  EXPECT_NE(with("\"hidden\": 6", "\"hidden\": 8").find("shape is"), std::string::npos);
  write("config.json", "{}");
  EXPECT_EQ(refusal(), at("config.json") + ": missing required key 'model'");
  write("config.json", std::string(2 << 20, ' '));
  EXPECT_EQ(refusal(), at("config.json") + ": has 2097152 bytes, expected settings of at most 1048576");
}

}  // namespace
}  // namespace dhyan
