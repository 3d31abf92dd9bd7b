#include "runs/training_run.h"

#include <cmath>
#include <gtest/gtest.h>
#include <regex>

#include "config/options.h"
#include "interop/safetensors.h"
#include "runs/quantize.h"
#include "runs/testing/training_runs.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

// A log in either format, without its times.
std::string without_times(const std::string& log) {
  static const std::regex times("[0-9.]+ tokens/s|\"(seconds|tokens_per_second)\":[0-9.e+-]+");
  return std::regex_replace(log, times, "");
}

TEST_F(TrainingRuns, LeaveACompleteFolder) {
  EXPECT_EQ(train({.folder = model(), .threads = 2}), Ended::kEpochs);
  for (const char* file : {"config.json", "model.safetensors", "source.vocab", "target.vocab", "trigrams.json",
                           "train.log", "train.jsonl", "README.md", "training/state.safetensors"}) {
    EXPECT_TRUE(fs::exists(fs::path(model()) / file)) << file;
  }
  const LoadedModel loaded = load_model(model());
  config_.tokenizer.settings.vocabulary_size = kUsualVocabularySize;  // resolved
  config_.tokenizer.settings.character_coverage = 1;
  config_.data.source_language = "hi";
  config_.data.target_language = "en";
  EXPECT_EQ(to_json(loaded.config), to_json(config_));
  EXPECT_EQ(loaded.tokenizers.source->size(), 4 + 6) << "as many as there are words, not as many as asked for";
  EXPECT_EQ(facts_.train.front().counts.pairs, 40u);
  EXPECT_EQ(facts_.valid.front().counts.pairs, 2u);
  EXPECT_EQ(facts_.weights, loaded.model->parameters().element_count());
  EXPECT_EQ(facts_.held_out.front().value, *std::ranges::min_element(notes_.losses));

  const std::string readme = corpus_.folder().read("model/README.md");
  for (const std::string& part :
       {corpus_.path("train.hi") + " and " + corpus_.path("train.en") + ": 40 pairs",
        cat("dhyan translate -m ", model()), std::string("(3 epochs)"), std::string("- loss: ")}) {
    EXPECT_NE(readme.find(part), std::string::npos) << part << "\n" << readme;
  }
}

TEST_F(TrainingRuns, GiveTheSameBytesOnAnyNumberOfThreads) {
  for (const int threads : {1, 2, 3}) train({.folder = model(cat("m", threads)), .threads = threads});
  EXPECT_EQ(weights("m1"), weights("m2"));
  EXPECT_EQ(weights("m1"), weights("m3"));
  config_.training.seed = 2;
  train({.folder = model("other")});
  EXPECT_NE(weights("m1"), weights("other"));
}

TEST_F(TrainingRuns, ReportTheLearningRateAfterTheEndOfTheSchedule) {
  config_.training.schedule = "cosine";
  config_.training.schedule_settings.total_steps = 1200;
  config_.training.schedule_settings.final_rate = 0.001;
  config_.training.max_steps = 1;
  train({.folder = model()});
  EXPECT_TRUE(
      noted("schedule: cosine brings the learning rate down to 0.001 at step 1,200; training continues at that "
            "rate after it"));
}

TEST_F(TrainingRuns, StoppedAndResumedEqualNeverStopped) {
  for (const bool sampled : {false, true}) {
    config_.training.precision = sampled ? Precision::kBfloat16 : Precision::kSplitBfloat16;
    config_.tokenizer.kind = sampled ? "unigram" : "word";
    config_.tokenizer.sampled = sampled;
    config_.tokenizer.settings.vocabulary_size = 60;
    train({.folder = model("straight"), .existing = Existing::kOverwrite});
    EXPECT_EQ(train({.folder = model(), .existing = Existing::kOverwrite}, 5), Ended::kOnRequest);
    EXPECT_NO_THROW(load_model(model())) << "it can be used as it is";
    EXPECT_EQ(train({.folder = model(), .existing = Existing::kResume, .threads = 2}), Ended::kEpochs);
    EXPECT_EQ(weights("model"), weights("straight")) << (sampled ? "sampled" : "");
    EXPECT_EQ(notes_.notes.back(), "resumed after step 5");
  }
}

// R-Drop and word dropout draw the same random numbers after a resume.
TEST_F(TrainingRuns, StoppedAndResumedEqualNeverStoppedWithEveryRegulariser) {
  config_.training.loss.r_drop = 2;
  config_.common.word_dropout = 0.1;
  config_.training.freeze = {"target*"};
  for (const char* kind : {"recurrent", "transformer"}) {
    config_.model = kind;
    config_.transformer.feed_forward = 16;
    train({.folder = model("straight"), .existing = Existing::kOverwrite, .threads = 2});
    train({.folder = model(), .existing = Existing::kOverwrite}, 5);
    train({.folder = model(), .existing = Existing::kResume});
    EXPECT_EQ(weights("model"), weights("straight")) << kind;
  }
}

TEST_F(TrainingRuns, LogEventsAsTextAndJson) {
  train({.folder = model("straight")});
  train({.folder = model()}, 5);
  train({.folder = model(), .existing = Existing::kResume});
  std::string log = corpus_.folder().read("model/train.log"), json = corpus_.folder().read("model/train.jsonl");
  for (const std::string file : {"train.log", "train.jsonl"}) {
    EXPECT_EQ(without_times(corpus_.folder().read("model/" + file)),
              without_times(corpus_.folder().read("straight/" + file)))
        << "as if it had not been stopped";
  }
  for (const char* part : {"step 4 ", "step 8 ", "held-out: loss "})
    EXPECT_NE(log.find(part), std::string::npos) << log;
  EXPECT_EQ(json.find("{\"event\":\"interval\",\"step\":4,\"epochs\":"), 0u) << json;
  EXPECT_NE(json.find("{\"event\":\"validation\",\"step\":"), std::string::npos) << json;
}

TEST_F(TrainingRuns, DoNotOverwriteAModelByDefault) {
  train({.folder = model()});
  const std::string before = weights("model");
  corpus_.folder().write("model/mine.txt", "notes");
  config_.training.seed = 9;
  EXPECT_EQ(refusal<UsageError>(), model() +
                                       ": holds a model; --resume continues its training, --overwrite starts "
                                       "over, -o names another folder");
  EXPECT_EQ(weights("model"), before);
  train({.folder = model(), .existing = Existing::kOverwrite});
  EXPECT_NE(weights("model"), before);
  EXPECT_EQ(corpus_.folder().read("model/mine.txt"), "notes");
  fs::remove_all(fs::path(model()) / "training");
  EXPECT_EQ(refusal<ModelFileError>(Existing::kResume),
            model() +
                ": there is no training to resume; --init-from starts another training with this model, in "
                "another folder");
  const std::string finished = weights("model");
  EXPECT_EQ(refusal<UsageError>(),
            model() +
                ": holds a model without the state of its training; --init-from starts another training with "
                "it, --overwrite starts over, -o names another folder");
  EXPECT_EQ(weights("model"), finished);
}

TEST_F(TrainingRuns, StateInTheReadmeThatItIsRewritten) {
  config_.training.max_steps = 1;
  train({.folder = model()});
  EXPECT_TRUE(corpus_.folder()
                  .read("model/README.md")
                  .starts_with("# A model of dhyan\n\ndhyan rewrites this file when the model is trained further or "
                               "made anew; keep notes in "
                               "another file.\n"));
}

TEST_F(TrainingRuns, CheckTheConfigFirst) {
  config_.common.tying = Tying::kAll;
  EXPECT_EQ(refusal<ConfigError>(),
            "tie-embeddings is all, which needs one vocabulary: expected shared-vocabulary true");
  EXPECT_FALSE(fs::exists(model())) << "nothing was made";
  config_.training.loss.r_drop = 5;
  config_.common.dropout = 0;
  config_.tokenizer.shared = true;
  EXPECT_EQ(refusal<ConfigError>(),
            "r-drop is 5 and nothing is dropped, so its two passes would be equal; expected dropout above 0");
  config_.training.loss.r_drop = 0;
  EXPECT_EQ(train({.folder = model()}), Ended::kEpochs);
  EXPECT_TRUE(load_model(model()).tokenizers.shared());
}

TEST_F(TrainingRuns, FindLateErrorsBeforeTraining) {
  const auto refused = [&](const std::function<void(Config&)>& change) {
    config_ = corpus_.config();
    change(config_);
    return refusal<ConfigError>();
  };
  EXPECT_EQ(refused([](Config& config) { config.training.stop_on = "bleu"; }),
            "stop-on is bleu, which validate-metrics does not have");
  EXPECT_EQ(refused([](Config& config) {
              config.training.keep_best = {"loss", "chrf"};
            }),
            "keep-best is chrf, which validate-metrics does not have");
  EXPECT_EQ(refused([](Config& config) {
              config.data.valid.clear();
              config.training.keep_best = {"loss"};
            }),
            "keep-best is loss, and nothing is held out; --valid names a corpus");
  EXPECT_EQ(refused([](Config& config) {
              config.model = "language-model";
              config.validation.metrics = {"bleu"};
            }),
            "validate-metrics has bleu, and a model of the kind language-model does not translate");
  config_ = corpus_.config();
  EXPECT_THROW(train({.folder = corpus_.path("train.hi/model")}), WriteError) << "a file is not a folder";
  EXPECT_FALSE(fs::exists(model())) << "nothing was made";
}

TEST_F(TrainingRuns, StartFromTheWeightsOfAnotherModel) {
  train({.folder = model()});
  const LoadedModel first = load_model(model());
  config_.init_from = model();
  config_.common.decoder_layers = 2;
  config_.training.freeze = {"encoder", "source.table"};
  train({.folder = model("second")});
  EXPECT_TRUE(std::ranges::any_of(notes_.notes, [&](const std::string& note) {
    return note.starts_with("weights: ") && note.find(" from " + model() + "; randomly initialised: ") != note.npos &&
           note.find("decoder.1.") != note.npos;
  }));
  const LoadedModel second = load_model(model("second"));
  EXPECT_EQ(second.tokenizers.source->fingerprint(), first.tokenizers.source->fingerprint());
  for (const Parameter& was : first.model->parameters()) {
    const Parameter* is = second.model->parameters().find(was.name);
    ASSERT_NE(is, nullptr);
    if (is->value.shape() != was.value.shape()) continue;
    const bool frozen = was.name.starts_with("encoder.") || was.name == "source.table";
    EXPECT_EQ(std::ranges::equal(is->value.span(), was.value.span()), frozen) << was.name;
  }
}

TEST_F(TrainingRuns, StartFromARoundedModelWithAWarning) {
  config_.recurrent.embedding = config_.common.hidden = 16;
  train({.folder = model()});
  quantize_model(model(), model("int8"), Existing::kRefuse);
  config_.init_from = model("int8");
  config_.training.freeze = {"encoder"};
  train({.folder = model("second")});
  EXPECT_TRUE(std::ranges::any_of(notes_.notes, [&](const std::string& note) {
    return note.starts_with(cat("warning: ", model("int8"), "/model.safetensors: ")) &&
           note.ends_with(" matrices are int8; training starts from their rounded values, as floats");
  }));
  const LoadedModel first = load_model(model()), second = load_model(model("second"));
  bool rounded = false;
  for (const Parameter& was : first.model->parameters()) {
    if (!was.name.starts_with("encoder.")) continue;
    const std::span<const Real> before = was.value.span();
    const std::span<const Real> now = second.model->parameters().find(was.name)->value.span();
    const Real largest = std::ranges::max(before, {}, [](Real x) { return std::abs(x); });
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_NEAR(now[i], before[i], std::abs(largest) / 254 * 1.001) << was.name;
      rounded |= now[i] != before[i];
    }
  }
  EXPECT_TRUE(rounded);
}

TEST_F(TrainingRuns, RefuseIncompatibleInitialWeights) {
  train({.folder = model("first")});
  config_.init_from = model("first");
  save_tensors(model("first/model.safetensors"), std::vector<NamedTensor>{{"other", Tensor::zeros({1})}});
  const std::string message = refusal<ModelFileError>();
  EXPECT_TRUE(message.starts_with(model("first") + "/model.safetensors: none of its 1 tensors fits ")) << message;
  config_ = corpus_.config();
  config_.training.freeze = {"encodr"};
  EXPECT_EQ(refusal<ConfigError>(), "freeze: no weight of the model is named 'encodr'; did you mean 'encoder'?");
  EXPECT_FALSE(fs::exists(model())) << "nothing was made";
}

}  // namespace
}  // namespace dhyan
